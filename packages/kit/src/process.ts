import { runInNewContext } from 'node:vm'
import { ConfigError } from './config.ts'
import { StartError } from './errors.ts'
import { redactText } from './redact.ts'
import { stackOf } from './stack.ts'
import { type StopDeadline, startStopDeadline } from './stop-deadline.ts'
import { link } from './workers/link.ts'
import { RETIRE, startWorkers, type WorkersPlan } from './workers/primary.ts'

/** What a started service shows to people: label and value, such as `['CMS admin', 'http://localhost:4300/admin']`. */
export type ReadyLines = [label: string, value: string][]

/** What the service process sends to the program that started it, over its IPC channel. */
type ReadyMessage = { type: 'ready'; name: string; lines: ReadyLines }

export type RunningService = {
  lines: ReadyLines
  /** Before the stop: the service goes on while load balancers learn that it is about to end. */
  drain?(): Promise<void>
  stop(deadline: StopDeadline): Promise<void>
}

type Service = {
  name: string
  /** How many processes share the ports; without it, or with one, this process does everything itself. */
  workers?: () => Promise<WorkersPlan>
  start: () => Promise<RunningService>
}

/**
 * The life of a service process. `start` migrates and listens. The service stops gracefully on a signal and when the
 * program that started it is gone, and exits with 1 and a message when it cannot start, stop or go on.
 */
export const runService = async (service: Service): Promise<void> => {
  const fail = (error: unknown): never => {
    process.stderr.write(`${service.name}: ${explain(error)}\n`)
    process.exit(1)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  // SIGUSR2 restarts workers. Without a listener it would end a process that has none, or none yet.
  process.on('SIGUSR2', () => undefined)
  const starting = startHere(service)
  let running: RunningService | undefined
  onStopRequest(async ({ isReplaced }) => {
    if (!isReplaced) await running?.drain?.().catch(fail)
    setTimeout(() => fail(new Error(`did not stop within ${STOP_DEADLINE_MS / 1000} s`)), STOP_DEADLINE_MS).unref()
    const deadline = startStopDeadline(STEPS_DEADLINE_MS)
    const started = await deadline.wait('its start', starting).catch(fail)
    await started?.stop(deadline).catch(fail)
    if (deadline.skipped.length > 0)
      process.stderr.write(`${service.name}: stopped without waiting for ${deadline.skipped.join(', ')}\n`)
    process.exit(0)
  })
  running = await starting.catch(fail)
  announce({ type: 'ready', name: service.name, lines: running.lines })
  hintAtGarbage()
}

/**
 * Most of what the start needed is garbage now. The end of a context is a sign of that to V8: once nothing happens for some
 * seconds, it collects bit by bit and gives 30 MB back. Otherwise it would keep them until there is much to do.
 */
const hintAtGarbage = (): void => void runInNewContext('0')

const startHere = async ({ workers, start }: Service): Promise<RunningService> => {
  const plan = link ? undefined : await workers?.()
  return plan && plan.count > 1 ? startWorkers(plan) : start()
}

const STOP_DEADLINE_MS = 10_000 // less than the supervisor's patience, so that the reason is printed
/**
 * What takes longer is skipped: mostly questions to a database that is silent. What was claimed has a lease, and goes on in
 * another process or after the next start.
 */
const STEPS_DEADLINE_MS = 8_000

/** Calls `stop` once, however many signals come: Ctrl-C reaches us from the terminal and from our parent. */
const onStopRequest = (stop: (how: { isReplaced: boolean }) => void): void => {
  let isStopping = false
  const request = (isReplaced: boolean): void => {
    if (!isStopping) stop({ isReplaced })
    isStopping = true
  }
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(event, () => request(false))
  if (!link) return
  process.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'type' in message && message.type === RETIRE.type)
      request(true)
  })
}

const announce = (message: ReadyMessage): void => {
  if (process.connected) process.send?.(message)
  else for (const [label, value] of message.lines) process.stdout.write(`${label}: ${value}\n`)
}

const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return redactText(String(error))
  if (error instanceof ConfigError || error instanceof StartError) return error.message
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error)
    return `port ${error.port} is in use by another program. Stop that program, or set another port.`
  return redactText(stackOf(error) ?? error.message)
}
