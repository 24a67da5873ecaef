import pino from 'pino'
import { isOutage } from './db/errors.ts'
import { Fault } from './errors.ts'
import { redact, redactMembers, redactText } from './redact.ts'
import { link } from './workers/link.ts'

export type Log = pino.Logger

export type LoggerOptions = {
  /** The service, shown on each line. */
  name: string
  /** `trace` to `fatal`, or `silent`. */
  level: string
  /** Where lines are written; standard output by default. */
  destination?: pino.DestinationStream
  /** Short lines for people instead of JSON; by default, when standard output is a terminal. */
  pretty?: boolean
}

/**
 * A pino logger that writes one JSON object per line, with secrets masked by type and by member name at any depth,
 * in the bindings of child loggers too.
 */
export const createLogger = (options: LoggerOptions): Log => {
  const pretty = options.pretty ?? (options.destination === undefined && process.stdout.isTTY === true)
  const output = options.destination ?? pino.destination({ fd: process.stdout.fd, sync: true })
  const settings: pino.LoggerOptions = {
    name: options.name,
    level: options.level,
    base: { pid: process.pid, ...(link && { worker: link.number }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: redactMembers },
    // Errors, requests and responses are shaped by `redactMembers`; pino's and Fastify's own serializers must not run.
    serializers: { err: unchanged, req: unchanged, res: unchanged, msg: redactMessage },
    hooks: {
      logMethod(parameters, method, level) {
        const [members, ...rest] = parameters
        const short = withoutStack(members)
        // An outage that ends by itself is logged as a warning, without a stack: it is no error in the code.
        if (short !== null && level === pino.levels.values.error)
          return Reflect.apply(this.warn, this, [short, ...rest])
        Reflect.apply(method, this, [short ?? members, ...rest].map(redactParameter))
      },
    },
  }
  return guardBindings(pino(settings, pretty ? prettyStream(output) : output))
}

/** `members` with only the reason of a database outage in place of the error; null for all other errors. */
const withoutStack = (members: unknown): object | null => {
  if (typeof members !== 'object' || members === null || !('err' in members) || !isOutage(members.err)) return null
  const { err, ...rest } = members
  const cause = err instanceof Fault ? err.cause : err
  return { ...rest, reason: cause instanceof Error ? cause.message : String(cause) }
}

const unchanged = (value: unknown): unknown => value
const redactMessage = (message: unknown): unknown => (typeof message === 'string' ? redactText(message) : message)

// The first parameter passes through the formatter; further ones (`%o`, `%s`) go straight into the text.
const redactParameter = (parameter: unknown, position: number): unknown =>
  position > 0 && typeof parameter === 'object' ? redact(parameter) : parameter

// pino turns bindings into text when the child is made, without asking the formatter.
const guardBindings = (logger: Log): Log => {
  const child: (this: Log, bindings: pino.Bindings, options?: pino.ChildLoggerOptions) => Log = logger.child
  const { setBindings } = logger
  return Object.assign(logger, {
    child(this: Log, bindings: pino.Bindings, options?: pino.ChildLoggerOptions): Log {
      return child.call(this, redactMembers(bindings), options)
    },
    setBindings(this: Log, bindings: pino.Bindings): void {
      setBindings.call(this, redactMembers(bindings))
    },
  })
}

const prettyStream = (output: pino.DestinationStream): pino.DestinationStream => ({
  write: (line) => output.write(prettyLine(line)),
})

const COLOURS: Record<string, number> = { trace: 90, debug: 36, info: 32, warn: 33, error: 31, fatal: 35 }

const prettyLine = (line: string): string => {
  const { level, time, pid: _, name, msg, err, ...rest } = JSON.parse(line)
  const clock = String(time).slice(11, 19)
  const label = `\u001b[${COLOURS[String(level)] ?? 0}m${String(level).toUpperCase().padEnd(5)}\u001b[0m`
  const members = Object.entries(rest).map(([key, value]) => ` ${printable(key)}=${printable(asText(value))}`)
  const text = `${clock} ${label} ${printable(String(name))} ${printable(asText(msg ?? ''))}${members.join('')}\n`
  return err === undefined ? text : `${text}${indent(err.stack ?? asText(err))}\n`
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const indent = (stack: unknown): string =>
  asText(stack)
    .split('\n')
    .map((line) => `    ${printable(line)}`)
    .join('\n')

// Control characters could move the cursor or start a line that looks like ours.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

const printable = (text: string): string =>
  text.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
