import type { Contact } from '@stoa/mail-model/contacts.ts'
import type { Folder } from '@stoa/mail-model/folders.ts'
import type { Label } from '@stoa/mail-model/labels.ts'
import { nameOf } from '../people.ts'
import { folderName, folderPath } from '../places.ts'
import { dates, type OperatorKind, operators, sizes, states } from './operators.ts'

export type Suggestion = {
  id: string
  kind: 'recent' | 'operator' | 'value' | 'person'
  label: string
  hint: string
  /** The whole text after it was taken. */
  text: string
  /** Whether that is a search to run; else one goes on typing. */
  isWhole: boolean
}

export type Known = {
  folders: readonly Pick<Folder, 'name' | 'path' | 'role'>[]
  labels: readonly Pick<Label, 'name' | 'display_name'>[]
  contacts: readonly Pick<Contact, 'name' | 'email'>[]
  recent: readonly string[]
}

/** The word that is being typed: from the last blank outside of quotes to the end. */
export const typedWord = (text: string): { before: string; operator: string; value: string } => {
  const start = lastBreak(text)
  const [, minus = '', operator = '', value = ''] = /^(-?)(?:([A-Za-z_]{1,20}):)?(.*)$/s.exec(text.slice(start)) ?? []
  return { before: text.slice(0, start) + minus, operator: operator.toLowerCase(), value: value.replace(/^"/, '') }
}

const lastBreak = (text: string): number => {
  let isQuoted = false
  let last = 0
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index]
    if (letter === '"') isQuoted = !isQuoted
    else if (!isQuoted && (letter === ' ' || letter === '(')) last = index + 1
  }
  return last
}

const MAX_SHOWN = 8
const MAX_PEOPLE = 5
const MIN_PERSON = 2

/** Completions for the word being typed. */
export const suggestionsFor = (text: string, known: Known): readonly Suggestion[] => {
  const { before, operator, value } = typedWord(text)
  if (text.trim() === '') return [...recentOnes(known.recent, ''), ...operatorsFor('', '')].slice(0, MAX_SHOWN)
  if (operator !== '') {
    const found = operators.find(({ name }) => name === operator)
    return found ? valuesFor(found.kind, value, { before: `${before}${operator}:`, known }).slice(0, MAX_SHOWN) : []
  }
  if (value === '') return operatorsFor(before, '').slice(0, MAX_SHOWN)
  return [
    ...recentOnes(known.recent, text),
    ...operatorsFor(before, value),
    ...(value.length < MIN_PERSON ? [] : people(value, { before: `${before}from:`, known })),
  ].slice(0, MAX_SHOWN)
}

const MAX_RECENT = 4

const recentOnes = (recent: readonly string[], text: string): Suggestion[] =>
  recent
    .filter((each) => each !== text && each.toLowerCase().startsWith(text.toLowerCase()))
    .slice(0, MAX_RECENT)
    .map((each) => ({
      id: `recent ${each}`,
      kind: 'recent',
      label: each,
      hint: 'Recent search',
      text: each,
      isWhole: true,
    }))

const operatorsFor = (before: string, typed: string): Suggestion[] =>
  operators
    .filter(({ name, isOffered }) => isOffered && name.startsWith(typed.toLowerCase()))
    .map(({ name, help }) => ({
      id: `operator ${name}`,
      kind: 'operator',
      label: `${name}:`,
      hint: help,
      text: `${before}${name}:`,
      isWhole: false,
    }))

type Values = { before: string; known: Known }

const valuesFor = (kind: OperatorKind, typed: string, { before, known }: Values): Suggestion[] => {
  const word = typed.toLowerCase()
  const value = (each: string, label = each, hint = ''): Suggestion => ({
    id: `value ${each}`,
    kind: 'value',
    label,
    hint,
    text: `${before}${quoted(each)} `,
    isWhole: true,
  })
  const fitting = (all: readonly string[]) => all.filter((each) => each.startsWith(word) && each !== word)
  switch (kind) {
    case 'person':
      return people(typed, { before, known })
    case 'state':
      return fitting(states).map((each) => value(each))
    case 'has':
      return fitting(['attachment']).map((each) => value(each))
    case 'date':
      return dates.filter((each) => each.value.startsWith(word)).map((each) => value(each.value, each.value, each.help))
    case 'size':
      return fitting(sizes).map((each) => value(each))
    case 'label':
      return known.labels
        .filter(({ name, display_name }) => name !== word && isBeginning(word, [name, display_name]))
        .map(({ name, display_name: label }) => value(name, label, label === name ? '' : name))
    case 'folder':
      return known.folders
        .filter(({ path, name }) => path.toLowerCase().includes(word) || name.toLowerCase().startsWith(word))
        .map((folder) =>
          value(folder.role ?? folder.path.toLowerCase(), folderName(folder), folder.role ? '' : folderPath(folder)),
        )
    default:
      return []
  }
}

const isBeginning = (word: string, texts: readonly string[]): boolean =>
  texts.some((text) => text.toLowerCase().startsWith(word))

const people = (typed: string, { before, known }: Values): Suggestion[] => {
  const word = typed.toLowerCase()
  const found = known.contacts.filter(
    ({ name, email }) => email.toLowerCase().includes(word) || (name ?? '').toLowerCase().includes(word),
  )
  return [...new Map(found.toReversed().map((each) => [each.email, each])).values()]
    .toReversed()
    .slice(0, MAX_PEOPLE)
    .map(({ name, email }) => ({
      id: `person ${before}${email}`,
      kind: 'person',
      label: nameOf({ name, email }),
      hint: nameOf({ name, email }) === email ? '' : email,
      text: `${before}${email} `,
      isWhole: true,
    }))
}

const quoted = (value: string): string => (/[\s()"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value)
