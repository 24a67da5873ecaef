import { type ContentType, type ContentTypeInput, diffTypes } from '@stoa/cms-model/content-types.ts'
import type { FieldChange } from '@stoa/cms-model/fields/changes.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { renameFields } from '@stoa/cms-model/fields/renames.ts'
import type { FieldType } from '@stoa/cms-model/fields/types/index.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import type { TypeTrial } from './queries.ts'

/** What one change means: `quiet` needs no decision, `blocked` cannot be saved as things are. */
export type ChangeLine = { key: string; tone: 'quiet' | 'warning' | 'blocked'; title: string; detail: string }

type Conversion = TypeTrial['converted'][number]
type Renamed = NonNullable<TypeTrial['renamed']>[number]
/** What the views of the fields say about a type. */
type Words = {
  readonly label: string
  readonly stricter?: Readonly<Partial<Record<string, string>>>
  readonly checkedOnSave?: readonly string[]
}
type WordsOf = (field: { readonly type: FieldType }) => Words
/** What people call a field type, inside of a sentence. */
type TypeWord = (type: FieldType) => string
type Shape = Pick<ContentTypeInput, 'kind' | 'previewUrl' | 'fields'>

/** What a change of a type means for the entries there are, in words, by what a dry run counted. */
export const describeChanges = (
  before: Pick<ContentType, 'name'> & Shape,
  after: Shape,
  { affected, converted, renamed = [] }: TypeTrial,
  wordsOf: WordsOf,
): ChangeLine[] => {
  const typeWord: TypeWord = (type) => wordsOf({ type }).label.toLowerCase()
  const counts = new Map(affected.map(({ key, count }) => [key, count]))
  const conversions = new Map(converted.map((conversion) => [conversion.key, conversion]))
  const renames = Object.fromEntries(renamed.map(({ from, to }) => [from, to]))
  const earlier = renameFields(before.fields, renames)
  const lines = diffTypes({ fields: earlier }, after).flatMap((change) => {
    const fields = change.change === 'removed' ? earlier : after.fields
    const name = `“${labelOf(fields, change.key.split('.')) || change.key}”`
    const conversion = conversions.get(change.key)
    if (conversion) return [describeConversion(conversion, name, typeWord)]
    if (change.change === 'retyped') return [describeRetyped(change, name, counts.get(change.key) ?? 0, typeWord)]
    const field = fieldIn(after.fields, change.key.split('.'))
    return describe(change, name, counts.get(change.key) ?? 0, field, field && wordsOf(field))
  })
  const moves = renamed.map((rename) => describeRename(rename, labelOf(before.fields, rename.from.split('.'))))
  return [...describeKind(before, after), ...moves, ...lines, ...describeAddress(before, after)]
}

const describeRename = ({ from, to, count }: Renamed, label: string): ChangeLine => ({
  key: to,
  tone: 'warning',
  title: `“${label || from}” is renamed to ${to}`,
  detail: `${
    count === 0 ? 'No entries have a value for it.' : `${keeps(count)}.`
  } Websites that read ${from} need to read ${to} instead.`,
})

const keeps = (count: number): string => formatCount(count, 'entry keeps its value', 'entries keep their value')

type Retyped = Extract<FieldChange, { change: 'retyped' }>

const describeRetyped = ({ key, from, to }: Retyped, name: string, count: number, typeWord: TypeWord): ChangeLine => ({
  key,
  tone: 'warning',
  title: `${name} changes from ${typeWord(from)} to ${typeWord(to)}`,
  detail: unfit(count),
})

const describeConversion = (
  { key, from, to, count, lost }: Conversion,
  name: string,
  typeWord: TypeWord,
): ChangeLine => {
  const title =
    from === to
      ? `${name} changes between one and multiple values`
      : `${name} changes from ${typeWord(from)} to ${typeWord(to)}`
  const kept = count === 0 ? '' : `${keeps(count)} in the new form. `
  return {
    key,
    tone: 'warning',
    title,
    detail: `${kept}${count > 0 && lost === 0 ? 'No values are lost.' : unfit(lost)}`,
  }
}

/** Whether someone should read them before the type is saved. */
export const needsReview = (lines: readonly ChangeLine[]): boolean => lines.some(({ tone }) => tone !== 'quiet')

const describe = (
  change: Exclude<FieldChange, Retyped>,
  name: string,
  count: number,
  field: Field | undefined,
  words: Words | undefined,
): ChangeLine[] => {
  const line = (tone: ChangeLine['tone'], title: string, detail: string): ChangeLine[] => [
    { key: change.key, tone, title, detail },
  ]
  switch (change.change) {
    case 'shown':
      return line('warning', `${name} becomes visible to websites`, 'This includes entries that are already live.')
    case 'hidden':
      return line(
        'warning',
        `${name} becomes hidden from websites`,
        filled(count, 'Its values stay visible in the editor.'),
      )
    case 'removed':
      return line(
        'warning',
        `${name} is removed`,
        filled(count, 'Its values are kept and come back if you add a field with this key again.'),
      )
    case 'added':
      if (!field?.required) return line('quiet', `${name} is new`, "It's empty in existing entries.")
      return line(count > 0 ? 'warning' : 'quiet', `${name} is new and required`, missing(count))
    case 'narrowed':
      return describeNarrowed(change, name, count, words)
  }
}

const describeNarrowed = (
  { key, options }: Extract<FieldChange, { change: 'narrowed' }>,
  name: string,
  count: number,
  words: Words | undefined,
): ChangeLine[] => {
  if (options.includes('unique') && count > 0)
    return [
      {
        key,
        tone: 'blocked',
        title: `${name} can't be made unique yet`,
        detail: `${formatCount(count, 'entry has', 'entries have')} the same value as another. Change them first.`,
      },
    ]
  const tone = count > 0 ? 'warning' : 'quiet'
  const rules = options.filter((option) => option !== 'required' && option !== 'unique')
  return [
    ...(options.includes('unique')
      ? [{ key, tone: 'quiet' as const, title: `${name} becomes unique`, detail: 'No entries share a value.' }]
      : []),
    ...(options.includes('required')
      ? [{ key, tone, title: `${name} becomes required`, detail: missing(count) } as const]
      : []),
    ...(rules.length > 0
      ? [
          {
            key,
            tone,
            title: `${name} gets stricter: ${rules.map((rule) => words?.stricter?.[rule] ?? rule).join(', ')}`,
            detail: rules.some((rule) => words?.checkedOnSave?.includes(rule)) ? elsewhere(count) : unfit(count),
          } as const,
        ]
      : []),
  ]
}

const describeKind = (before: Pick<ContentType, 'name'> & Shape, after: Shape): ChangeLine[] => {
  if (before.kind === after.kind) return []
  const detail =
    after.kind === 'single'
      ? `Websites can also read it at /content/${before.name}/single. You can't create a second entry.`
      : `Websites can no longer read it at /content/${before.name}/single. They need to read the list instead.`
  return [
    {
      key: 'kind',
      tone: 'warning',
      title: after.kind === 'single' ? 'It becomes a single' : 'It becomes a collection',
      detail,
    },
  ]
}

const describeAddress = (before: Shape, after: Shape): ChangeLine[] => {
  if (before.previewUrl === after.previewUrl) return []
  const detail =
    after.previewUrl === null
      ? 'Entries no longer have a URL, so previews and menu links to them stop working.'
      : 'Previews and menu links use the new URLs immediately. Old links to your website stop working.'
  return [
    {
      key: 'previewUrl',
      tone: before.previewUrl === null ? 'quiet' : 'warning',
      title: 'The URLs of all entries change',
      detail,
    },
  ]
}

const filled = (count: number, after: string): string =>
  count === 0
    ? 'No entries have a value for it.'
    : `${formatCount(count, 'entry has', 'entries have')} a value for it. ${after}`

const missing = (count: number): string =>
  count === 0
    ? 'All entries have a value.'
    : `${formatCount(count, 'entry lacks', 'entries lack')} it. Live entries stay live; you'll need to fill it in on the next save or publish.`

const unfit = (count: number): string =>
  count === 0
    ? 'All existing values are valid.'
    : `The value in ${formatCount(count, 'entry', 'entries')} isn't valid. It will appear empty, including on websites, but it's kept until you enter a new one.`

const elsewhere = (count: number): string =>
  count === 0
    ? 'No entries have a value for it.'
    : `${formatCount(count, 'entry has', 'entries have')} a value that may not be valid. You'll need to choose another on the next save.`

const fieldIn = (fields: readonly Field[], path: readonly string[]): Field | undefined => {
  const [key, ...rest] = path
  const field = fields.find((candidate) => candidate.key === key)
  if (rest.length === 0) return field
  return field && 'fields' in field ? fieldIn(field.fields, rest) : undefined
}

/** "Slides › Image" */
const labelOf = (fields: readonly Field[], path: readonly string[]): string =>
  path
    .map((_, index) => fieldIn(fields, path.slice(0, index + 1))?.label ?? '')
    .filter(Boolean)
    .join(' › ')
