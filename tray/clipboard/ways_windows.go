package clipboard

var ways = []way{{"Windows", findWindows, copyWindows}}
