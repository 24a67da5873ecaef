import { ConfigError } from './config.ts'
import { redactText } from './redact.ts'

/** What a started service shows to people: label and value, such as `['CMS admin', 'http://localhost:4300/admin']`. */
export type ReadyLines = [label: string, value: string][]

/** What the service process tells the program that started it, over its IPC channel. */
type ReadyMessage = { type: 'ready'; name: string; lines: ReadyLines }

export type RunningService = {
  lines: ReadyLines
  /** Before the stop: the service goes on while whoever sends it work learns that it is about to end. */
  drain?(): Promise<void>
  stop(): Promise<void>
}

/**
 * The life of a service process. `start` migrates and listens. The service stops gracefully on a signal and when the
 * program that started it is gone, and exits with 1 and a message when it cannot start, stop or go on.
 */
export const runService = async (service: { name: string; start: () => Promise<RunningService> }): Promise<void> => {
  const fail = (error: unknown): never => {
    process.stderr.write(`${service.name}: ${explain(error)}\n`)
    process.exit(1)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  const starting = service.start()
  onStopRequest(async () => {
    await starting.then((running) => running.drain?.()).catch(fail)
    setTimeout(() => fail(new Error(`did not stop within ${STOP_DEADLINE_MS / 1000} s`)), STOP_DEADLINE_MS).unref()
    await starting.then((running) => running.stop()).catch(fail)
    process.exit(0)
  })
  const { lines } = await starting.catch(fail)
  announce({ type: 'ready', name: service.name, lines })
}

const STOP_DEADLINE_MS = 10_000 // less than the patience of whoever stops us, so that the reason is printed

/** Calls `stop` once, however many signals come: Ctrl-C reaches us from the terminal and from our parent. */
const onStopRequest = (stop: () => void): void => {
  let isStopping = false
  const request = (): void => {
    if (!isStopping) stop()
    isStopping = true
  }
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(event, request)
}

const announce = (message: ReadyMessage): void => {
  if (process.connected) process.send?.(message)
  else for (const [label, value] of message.lines) process.stdout.write(`${label}: ${value}\n`)
}

const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return redactText(String(error))
  if (error instanceof ConfigError) return error.message
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error)
    return `port ${error.port} is in use by another program. Stop that program, or set another port.`
  return redactText(error.stack ?? error.message)
}
