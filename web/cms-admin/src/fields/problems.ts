import type { Problem } from '@stoa/cms-model/fields/define.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { cleanValue } from '@stoa/cms-model/fields/members.ts'
import { typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { sentence } from '@stoa/ui/request/request.ts'

/** The problems of the value itself. */
export const problemsAt = (problems: readonly Problem[], path: string): readonly Problem[] =>
  problems.filter(({ key }) => key === path)

/** The problems of the value and of everything inside it. */
export const problemsWithin = (problems: readonly Problem[], path: string): readonly Problem[] =>
  problems.filter(({ key }) => key === path || key.startsWith(`${path}.`))

/** The errors that the service would report; whether a value is required is only checked on publish. */
export const checkEarly = (field: Field, value: unknown, path: string): readonly Problem[] =>
  typeOf(field)
    .check(cleanValue(field, value, { embedHosts: [] }), field, path)
    .map(({ key, message }) => ({ key, message: sentence(message) }))

/** The messages of several problems, each once. */
export const messagesOf = (problems: readonly Problem[]): string[] => [
  ...new Set(problems.map(({ message }) => message)),
]
