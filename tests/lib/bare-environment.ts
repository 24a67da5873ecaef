/**
 * For programs that a test starts as on a bare machine: nothing of ours leaks into them. The compile cache may, because
 * it changes nothing but how long they take to start.
 */
export const bareEnvironment = (): Record<string, string> => {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
}
