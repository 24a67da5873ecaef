/**
 * The milliseconds that this thread has worked. Unlike a clock it stands still while other processes have the core: a
 * limit on it holds on a busy machine, too.
 */
export const workMs = (): number => process.threadCpuUsage().user / 1_000
