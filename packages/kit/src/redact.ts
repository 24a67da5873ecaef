import { Secret } from './secret.ts'
import { stackOf } from './stack.ts'

const REDACTED = '[redacted]'

// A log line is read by people and shipped by agents: what is larger than this is an accident, not information.
const MAX_DEPTH = 8
const MAX_MEMBERS = 100
const MAX_TEXT = 8192

// Compared after dropping case and separators, so `X-Api-Key`, `apiKey` and `api_key` are one name.
const SENSITIVE_KEY =
  /^(?:pass(?:word|wd|phrase).*|.*(?:password|passphrase|secret|token|ticket|authorization|cookie|apikey|accesskey|secretkey|privatekey|sealingkey|credential|recoverycode)s?)$/
const SENSITIVE_QUERY =
  /([?&;](?:[a-z0-9_.~-]{0,40}(?:token|secret|password|signature|api_?key)|ticket|preview|key|code|state)=)[^&;#\s"'<>]+/gi
const URL_PASSWORD = /(:\/\/[^\s:/?#@"']{0,200}:)[^\s/?#@"']+(?=@)/g

/** A copy that is safe to log: secrets, sensitive members and credentials inside URLs are masked at any depth. */
export const redact = (value: unknown): unknown => redactAt(value, 0)

/** `redact` for the members of a log line. */
export const redactMembers = (members: object): Record<string, unknown> =>
  members instanceof Error ? { err: redact(members) } : redactEntries(Object.entries(members), 0)

/** Masks credentials in URLs (query values such as `token`, and `user:password@`) and cuts what is far too long. */
export const redactText = (text: string): string => {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text
  const masked = short.includes('=') ? short.replace(SENSITIVE_QUERY, `$1${REDACTED}`) : short
  return masked.includes('://') ? masked.replace(URL_PASSWORD, `$1${REDACTED}`) : masked
}

/** True when a member of this name never goes to a log, whatever it holds. */
export const isSensitiveKey = (key: string): boolean => SENSITIVE_KEY.test(key.toLowerCase().replace(/[^a-z0-9]/g, ''))

const redactAt = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Secret) return value.toString()
  if (depth >= MAX_DEPTH) return '[too deep]'
  if (value instanceof Error) return redactError(value, depth)
  if (Array.isArray(value)) return redactArray(value, depth)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString()
  if (value instanceof URL) return redactText(value.href)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
  if (value instanceof Map) return redactEntries([...value], depth)
  if (value instanceof Set) return redactArray([...value], depth)
  return redactObject(value, depth)
}

const redactArray = (items: readonly unknown[], depth: number): unknown[] => {
  const shown = items.slice(0, MAX_MEMBERS).map((item) => redactAt(item, depth + 1))
  return items.length > MAX_MEMBERS ? [...shown, `[${items.length - MAX_MEMBERS} more]`] : shown
}

const redactObject = (value: object, depth: number): unknown => {
  const http = describeHttp(value)
  if (http) return http
  if ('toJSON' in value && typeof value.toJSON === 'function') return redactAt(value.toJSON(), depth + 1)
  return redactEntries(Object.entries(value), depth)
}

const redactEntries = (entries: readonly (readonly [unknown, unknown])[], depth: number): Record<string, unknown> => {
  const shown = entries.slice(0, MAX_MEMBERS).map(([name, member]): [string, unknown] => {
    const key = String(name)
    return [key, holdsSecret(key, member) ? REDACTED : redactAt(member, depth + 1)]
  })
  if (entries.length > MAX_MEMBERS) shown.push(['…', `${entries.length - MAX_MEMBERS} more`])
  return Object.fromEntries(shown)
}

// Numbers, booleans and absence reveal no secret: `inputTokens: 12` and `hasPassword: true` stay readable.
const holdsSecret = (key: string, member: unknown): boolean =>
  (typeof member === 'string' || (typeof member === 'object' && member !== null)) && isSensitiveKey(key)

const redactError = (error: Error, depth: number): Record<string, unknown> => {
  const stack = stackOf(error)
  const shape: Record<string, unknown> = {
    type: error.name,
    message: redactText(error.message),
    stack: stack === undefined ? undefined : redactText(stack),
  }
  const extra = Object.entries(error).filter(([key]) => key !== 'name' && key !== 'message' && key !== 'stack')
  Object.assign(shape, redactEntries(extra, depth))
  if (error.cause !== undefined) shape.cause = redactAt(error.cause, depth + 1)
  if (error instanceof AggregateError) shape.errors = redactArray(error.errors, depth + 1)
  return shape
}

// Requests and responses drag sockets, parsers and headers with them; the line needs none of that.
const describeHttp = (value: object): Record<string, unknown> | undefined => {
  const prototype = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return undefined
  if ('method' in value && 'url' in value && 'headers' in value && typeof value.url === 'string') {
    return { method: value.method, url: redactText(value.url) }
  }
  if ('statusCode' in value && 'getHeader' in value) return { statusCode: value.statusCode }
  return undefined
}
