// OpenPets' own client: calls its methods in turn and prints what each gives.
// Usage: node --input-type=module - CALLS <openpets.mjs, where CALLS is
// [[method, ...arguments], ...]; an argument "$lease" is the id of the last lease.
import { allowedReactions, createOpenPetsClient, OpenPetsClientError } from "@open-pets/client";

const client = createOpenPetsClient();
const told = { reactions: allowedReactions, calls: [] };
let lease;
const filled = (value) => JSON.parse(JSON.stringify(value).replaceAll("$lease", lease));
for (const [method, ...args] of JSON.parse(process.argv[2])) {
  try {
    const result = await client[method](...filled(args));
    if (method === "acquireLease") lease = result.leaseId;
    told.calls.push({ result });
  } catch (error) {
    if (!(error instanceof OpenPetsClientError)) throw error;
    told.calls.push({ code: error.code, message: error.message });
  }
}
console.log(JSON.stringify(told));
