/** Loaded by the tools that run tests: ends their process group when their parent is gone, which sends no signal when it is killed. */
const parent = process.ppid;
setInterval(() => process.ppid !== parent && process.kill(0, 'SIGTERM'), 500).unref();
