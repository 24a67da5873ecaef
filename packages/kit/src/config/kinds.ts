import { resolve } from 'node:path'
import { z } from 'zod'
import type { Environment, Variable } from '../config.ts'
import { Secret } from '../secret.ts'
import { readBytes, readCidr, readHostPort, readInteger, readList, readOrigin, readUrl } from './read.ts'

/** What every variable says about itself. Without `default` and `required: true` the value may be undefined. */
export type VariableOptions = {
  /** One sentence for the reference: what it does, and what to set. */
  doc: string
  default?: string
  /** Words for the reference when the default is computed elsewhere. */
  defaultText?: string
  required?: boolean | 'production'
  alias?: readonly string[]
}
export type Present = { default: string } | { required: true }

/** Makes variables of one type: the value is certain when there is a default or the variable is required. */
export type Kind<T> = {
  (options: VariableOptions & Present): Variable<T>
  (options: VariableOptions): Variable<T | undefined>
}

type Traits = { takesEmpty?: boolean; isSecret?: boolean }

const kind = <T>(advice: string, read: (text: string) => T | undefined, traits: Traits = {}): Kind<T> => {
  const schema = z.string().transform((text, context) => {
    const value = read(text)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: advice })
    return z.NEVER
  })
  function make(options: VariableOptions & Present): Variable<T>
  function make(options: VariableOptions): Variable<T | undefined>
  function make(options: VariableOptions): Variable<T | undefined> {
    return {
      schema,
      doc: options.doc,
      default: options.default,
      defaultText: options.defaultText ?? (options.default || 'none'),
      required: options.required ?? false,
      alias: options.alias ?? [],
      takesEmpty: traits.takesEmpty ?? false,
      isSecret: traits.isSecret ?? false,
    }
  }
  return make
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this refuses
const CONTROL = /[\u0000-\u001f\u007f]/
const isPlain = (text: string): boolean => text.length <= 4096 && !CONTROL.test(text)

/** Any text on one line. */
export const text = kind('Enter one line of text with up to 4096 characters.', (given) =>
  isPlain(given) ? given : undefined,
)

/** A host name or address without port. */
export const host = kind('Enter a host name or IP address without scheme and port.', (given) =>
  /^[A-Za-z0-9.:_-]{1,253}$/.test(given) ? given : undefined,
)

/** A TCP port to listen on; 0 lets the system choose a free one. */
export const port = kind('Enter a port from 0 to 65535.', (given) => readInteger(given, 0, 65_535))

/** A port that can be disabled: null when the text is 0 or empty. */
export const optionalPort = kind<number | null>(
  'Enter a port from 1 to 65535. 0 or an empty value turns it off.',
  (given) => {
    const value = given.trim() === '' ? 0 : readInteger(given, 0, 65_535)
    return value === 0 ? null : value
  },
  { takesEmpty: true },
)

const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  yes: true,
  on: true,
  false: false,
  0: false,
  no: false,
  off: false,
}
export const boolean = kind('Enter true or false.', (given) =>
  Object.hasOwn(WORDS, given.toLowerCase()) ? WORDS[given.toLowerCase()] : undefined,
)

export const integer = ({ min, max }: { min: number; max: number }): Kind<number> =>
  kind(`Enter a whole number from ${min} to ${max}.`, (given) => readInteger(given, min, max))

/** A size: a number of bytes, or with KB, MB or GB (1024 each), as in "25 MB". */
export const bytes = ({ min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {}): Kind<number> =>
  kind('Enter a number of bytes or a size like "25 MB".', (given) => {
    const size = readBytes(given)
    return size !== undefined && size >= min && size <= max ? size : undefined
  })

/** An address such as `https://host:port/path`, of one of these schemes, as text without a closing slash. */
export const url = (...schemes: [string, ...string[]]): Kind<string> =>
  kind(`Enter a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}.`, (given) =>
    readUrl(given, schemes),
  )

/** An address that may hold a password (a database, a relay): as `url`, but a secret. */
export const secretUrl = (...schemes: [string, ...string[]]): Kind<Secret> =>
  kind(
    `Enter a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}.`,
    (given) => {
      const address = readUrl(given, schemes)
      return address === undefined ? undefined : new Secret(address)
    },
    { isSecret: true },
  )

/** `https://host[:port]` and nothing behind it. */
export const origin = kind('Enter only scheme, host and port, like https://cms.example.com.', readOrigin)

export const originList = kind(
  'Enter comma-separated origins, like https://www.example.com,https://example.com.',
  (given) => readList(given, readOrigin),
  { takesEmpty: true },
)

export const list = kind(
  'Enter comma-separated names.',
  (given) => readList(given, (item) => (isPlain(item) ? item : undefined)),
  {
    takesEmpty: true,
  },
)

/** Networks as `10.0.0.0/8`; a single address is a network of one. */
export const cidrList = kind(
  'Enter comma-separated networks, like 10.0.0.0/8,::1.',
  (given) => readList(given, readCidr),
  {
    takesEmpty: true,
  },
)

/** Servers as `host:port` texts, the port filled in where it is left out; IPv6 stands in brackets. */
export const hostPortList = ({ defaultPort }: { defaultPort: number }): Kind<string[]> =>
  kind(
    `Enter comma-separated hosts, optionally with a port (default ${defaultPort}), like 10.0.0.1,[::1]:${defaultPort}.`,
    (given) => readList(given, (item) => readHostPort(item, defaultPort)),
    { takesEmpty: true },
  )

export const oneOf = <const V extends string>(...values: readonly V[]): Kind<V> =>
  kind(`Enter one of ${values.join(', ')}.`, (given) => values.find((value) => value === given))

export const listOf = <const V extends string>(...values: readonly V[]): Kind<V[]> =>
  kind(`Enter a comma-separated list of ${values.join(', ')}.`, (given) =>
    readList(given, (item) => values.find((value) => value === item)),
  )

/** A folder or file; a relative one counts from the working directory. */
export const path = kind('Enter a path.', (given) => (isPlain(given) ? resolve(given) : undefined))

/** A credential. */
export const secret = kind(
  'Enter one line of text with up to 4096 characters.',
  (given) => (isPlain(given) ? new Secret(given) : undefined),
  { isSecret: true },
)

/** The main secret, from which all keys are derived: always required, and long enough in production. */
export const masterSecret = (options: { doc: string; defaultText?: string }): Variable<Secret> => ({
  ...secret({ ...options, required: true }),
  production: (value) =>
    value.reveal().length < MIN_SECRET_CHARACTERS
      ? `is too short for production. Set at least ${MIN_SECRET_CHARACTERS} random characters, like the output of "openssl rand -base64 48".`
      : undefined,
})
const MIN_SECRET_CHARACTERS = 32

/** NODE_ENV. Anything but the three names is refused, for a misspelt "production" must not run with softer rules. */
export const nodeEnv = (options: { doc: string }): Variable<Environment> =>
  oneOf('development', 'test', 'production')({ ...options, default: 'development' })
