import { z } from 'zod'
import { checkString, isNoText, problem, searchable, trimmed } from '../checks.ts'
import { defineField, noLinks } from '../define.ts'

/** RFC 5321 §4.5.3.1: a path of 256 octets with its brackets, 64 of them before the @. */
const MAX_LENGTH = 254
const MAX_LOCAL_LENGTH = 64

/** An address that mail can go to. */
export const email = defineField({
  type: 'email',
  options: z.strictObject({}),
  narrows: {},
  empty: () => '',
  isEmpty: isNoText,
  check: (value, _options, path) => {
    const problems = checkString(value, path)
    if (problems.length > 0 || typeof value !== 'string' || value === '') return problems
    return isAddress(value) ? [] : problem(path, 'must be an email address like name@example.com')
  },
  clean: trimmed,
  links: noLinks,
  text: searchable,
  comparesAs: 'text',
  fromCell: (cell) => cell,
  typescript: () => 'string',
})

const isAddress = (text: string): boolean => {
  if (text.length > MAX_LENGTH) return false
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  return local.length <= MAX_LOCAL_LENGTH && local.split('.').every(isAtom) && isDomain(text.slice(at + 1))
}

const isAtom = (text: string): boolean => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(text)

/** Letters of any script: not every domain is written in Latin ones. */
const isDomain = (text: string): boolean => {
  const labels = text.split('.')
  const isWritten = labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u.test(label))
  return isWritten && labels.length > 1 && !/^\d+$/.test(labels.at(-1) ?? '')
}
