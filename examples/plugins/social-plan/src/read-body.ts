/** Something that was sent is not right; `key` names the member. */
export class InputError extends Error {
  readonly key: string

  constructor(key: string, message: string) {
    super(message)
    this.key = key
  }
}

type Member<K extends string, V> = Partial<Record<K, V>>

/** Takes members out of a body one by one. A member that was not sent is left out of what they give. */
export type Reader = {
  text<K extends string>(key: K, rule: { max: number; isRequired?: boolean }): Member<K, string>
  optionalText<K extends string>(key: K, max: number): Member<K, string | null>
  id<K extends string>(key: K): Member<K, string | null>
  ids<K extends string>(key: K, max: number): Member<K, string[]>
  day<K extends string>(key: K): Member<K, string | null>
  choice<K extends string, V extends string>(key: K, values: readonly V[]): Member<K, V>
}

const ID = /^[A-Za-z0-9_-]{1,64}$/
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\u0000')
const isId = (value: unknown): value is string => isText(value) && ID.test(value)

export const bodyOf = (body: unknown): Record<string, unknown> => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new InputError('', 'Send a JSON object')
  return body as Record<string, unknown>
}

export const readerOf = (given: unknown): Reader => {
  const body = bodyOf(given)
  const take = <K extends string, V>(key: K, parse: (value: unknown) => V): Member<K, V> =>
    Object.hasOwn(body, key) && body[key] !== undefined ? ({ [key]: parse(body[key]) } as Member<K, V>) : {}
  const textOf = (key: string, max: number, value: unknown): string => {
    if (!isText(value)) throw new InputError(key, `${key} must be text`)
    const text = value.replaceAll('\r\n', '\n').trim()
    if (text.length > max) throw new InputError(key, `${key} must have at most ${max} characters`)
    return text
  }
  const orNull =
    <V>(parse: (value: unknown) => V) =>
    (value: unknown): V | null =>
      value === null || value === '' ? null : parse(value)
  return {
    text: (key, { max, isRequired = false }) =>
      take(key, (value) => {
        const text = textOf(key, max, value)
        if (isRequired && text === '') throw new InputError(key, `Enter a ${key}`)
        return text
      }),
    optionalText: (key, max) =>
      take(
        key,
        orNull((value) => textOf(key, max, value)),
      ),
    id: (key) =>
      take(
        key,
        orNull((value) => {
          if (!isId(value)) throw new InputError(key, `${key} is not an id`)
          return value
        }),
      ),
    ids: (key, max) =>
      take(key, (value) => {
        if (!Array.isArray(value) || !value.every(isId)) throw new InputError(key, `${key} must be a list of ids`)
        if (value.length > max) throw new InputError(key, `${key} must have at most ${max} items`)
        return [...new Set(value)]
      }),
    day: (key) =>
      take(
        key,
        orNull((value) => {
          if (!isText(value) || !DAY.test(value)) throw new InputError(key, 'Enter a date such as 2026-03-01')
          return value
        }),
      ),
    choice: (key, values) =>
      take(key, (value) => {
        const found = values.find((one) => one === value)
        if (found === undefined) throw new InputError(key, `${key} must be one of ${values.join(', ')}`)
        return found
      }),
  }
}
