// What the pages do by themselves. Without it they work too: every view has its URL.
