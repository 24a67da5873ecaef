/** One process of each service, whatever the machine has; a test of several asks for them. */
const ONE_PROCESS = { WORKERS: '1', MAIL_WORKERS: '1' }

/** Mail has fixed ports, which belong to the developer's machine; a test that wants a port opens it. */
const CLOSED_DOORS = Object.fromEntries(
  ['SMTP', 'SUBMISSION', 'SUBMISSIONS', 'IMAP', 'IMAPS', 'POP3', 'POP3S', 'MANAGESIEVE'].map((name) => [
    `${name}_PORT`,
    '0',
  ]),
)

/**
 * For programs that a test starts as on a bare machine: nothing of ours leaks into them. The compile cache may, because
 * it changes nothing but how long they take to start.
 */
export const bareEnvironment = (): Record<string, string> => {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...ONE_PROCESS, ...CLOSED_DOORS, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
}
