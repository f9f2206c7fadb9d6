// The official SDK's client. It starts a server, does what it is told, and prints
// what came of that. Usage: node --input-type=module - ASK <sdk.mjs, where ASK is
// {"server": {command, args, env}, "client": {name, version}, "calls": [{name, arguments}]}
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const ask = JSON.parse(process.argv[2]);
const told = { calls: [], complaints: [], stderr: "" };
const transport = new StdioClientTransport({ ...ask.server, stderr: "pipe" });
transport.stderr.on("data", (text) => (told.stderr += text));
const client = new Client(ask.client);
client.onerror = (error) => told.complaints.push(String(error)); // a line that is no protocol, an unknown id

await client.connect(transport);
told.pid = transport.pid;
told.server = client.getServerVersion();
told.capabilities = client.getServerCapabilities();
told.instructions = client.getInstructions();
told.tools = (await client.listTools()).tools;
for (const call of ask.calls) {
  try {
    told.calls.push(await client.callTool(call));
  } catch (error) {
    told.calls.push({ code: error.code, error: String(error) });
  }
}
await client.ping();
await client.close();
console.log(JSON.stringify(told));
