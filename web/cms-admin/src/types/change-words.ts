import { type ContentType, type ContentTypeInput, diffTypes } from '@stoa/cms-model/content-types.ts'
import type { FieldChange } from '@stoa/cms-model/fields/changes.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import type { FieldType } from '@stoa/cms-model/fields/index.ts'
import { renameFields } from '@stoa/cms-model/fields/renames.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import type { TypeTrial } from './queries.ts'

/** What one change means: `quiet` needs no decision, `blocked` cannot be saved as things are. */
export type ChangeLine = { key: string; tone: 'quiet' | 'warning' | 'blocked'; title: string; detail: string }

type Conversion = TypeTrial['converted'][number]
type Renamed = NonNullable<TypeTrial['renamed']>[number]
/** What people call a field type, inside of a sentence. */
type TypeWord = (type: FieldType) => string
type Shape = Pick<ContentTypeInput, 'kind' | 'previewUrl' | 'fields'>

/** What a change of a type means for the entries there are, in words, by what a dry run counted. */
export const describeChanges = (
  before: Pick<ContentType, 'name'> & Shape,
  after: Shape,
  { affected, converted, renamed = [] }: TypeTrial,
  typeWord: TypeWord,
): ChangeLine[] => {
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
    return describe(change, name, counts.get(change.key) ?? 0, fieldIn(after.fields, change.key.split('.')))
  })
  const moves = renamed.map((rename) => describeRename(rename, labelOf(before.fields, rename.from.split('.'))))
  return [...describeKind(before, after), ...moves, ...lines, ...describeAddress(before, after)]
}

const describeRename = ({ from, to, count }: Renamed, label: string): ChangeLine => ({
  key: to,
  tone: 'warning',
  title: `“${label || from}” gets the key ${to}`,
  detail: `${
    count === 0 ? 'No entry has a value in it.' : `${keeps(count)}.`
  } Websites that read ${from} must read ${to} from now on.`,
})

const keeps = (count: number): string => formatCount(count, 'entry keeps its value', 'entries keep their value')

type Retyped = Extract<FieldChange, { change: 'retyped' }>

const describeRetyped = ({ key, from, to }: Retyped, name: string, count: number, typeWord: TypeWord): ChangeLine => ({
  key,
  tone: 'warning',
  title: `${name} turns from ${typeWord(from)} into ${typeWord(to)}`,
  detail: unfit(count),
})

const describeConversion = (
  { key, from, to, count, lost }: Conversion,
  name: string,
  typeWord: TypeWord,
): ChangeLine => {
  const title =
    from === to
      ? `${name} holds one or several in another way`
      : `${name} turns from ${typeWord(from)} into ${typeWord(to)}`
  const kept = count === 0 ? '' : `${keeps(count)} in the new form. `
  return { key, tone: 'warning', title, detail: `${kept}${count > 0 && lost === 0 ? 'Nothing is lost.' : unfit(lost)}` }
}

/** Whether someone should read them before the type is saved. */
export const needsReview = (lines: readonly ChangeLine[]): boolean => lines.some(({ tone }) => tone !== 'quiet')

const describe = (
  change: Exclude<FieldChange, Retyped>,
  name: string,
  count: number,
  field: Field | undefined,
): ChangeLine[] => {
  const line = (tone: ChangeLine['tone'], title: string, detail: string): ChangeLine[] => [
    { key: change.key, tone, title, detail },
  ]
  switch (change.change) {
    case 'shown':
      return line('warning', `${name} can be read by websites from now on`, 'Also in entries that are live already.')
    case 'hidden':
      return line('warning', `${name} is hidden from websites`, filled(count, 'Its values stay in the editor.'))
    case 'removed':
      return line(
        'warning',
        `${name} is removed`,
        filled(count, 'The values stay stored and come back when a field with this key is added again.'),
      )
    case 'added':
      if (!field?.required) return line('quiet', `${name} is new`, 'It is empty in the entries there are.')
      return line(count > 0 ? 'warning' : 'quiet', `${name} is new and required`, missing(count))
    case 'narrowed':
      return describeNarrowed(change, name, count)
  }
}

const describeNarrowed = (
  { key, options }: Extract<FieldChange, { change: 'narrowed' }>,
  name: string,
  count: number,
): ChangeLine[] => {
  if (options.includes('unique') && count > 0)
    return [
      {
        key,
        tone: 'blocked',
        title: `${name} cannot become unique yet`,
        detail: `${formatCount(count, 'entry has', 'entries have')} a value that another one has, too. Change them first.`,
      },
    ]
  const tone = count > 0 ? 'warning' : 'quiet'
  const rules = options.filter((option) => option !== 'required' && option !== 'unique')
  return [
    ...(options.includes('unique')
      ? [{ key, tone: 'quiet' as const, title: `${name} becomes unique`, detail: 'No two entries share a value now.' }]
      : []),
    ...(options.includes('required')
      ? [{ key, tone, title: `${name} becomes required`, detail: missing(count) } as const]
      : []),
    ...(rules.length > 0
      ? [
          {
            key,
            tone,
            title: `${name} gets stricter: ${rules.map((rule) => ruleWords[rule] ?? rule).join(', ')}`,
            detail: rules.some((rule) => rule === 'to' || rule === 'accept') ? elsewhere(count) : unfit(count),
          } as const,
        ]
      : []),
  ]
}

const describeKind = (before: Pick<ContentType, 'name'> & Shape, after: Shape): ChangeLine[] => {
  if (before.kind === after.kind) return []
  const detail =
    after.kind === 'single'
      ? `Websites also read it at /content/${before.name}/single. No second entry can be made.`
      : `Websites no longer find it at /content/${before.name}/single: they read the list instead.`
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
      ? 'Entries have no address any more: previews and menu links to them lead nowhere.'
      : 'Previews and menu links lead to the new addresses at once; old links of visitors do not follow.'
  return [
    {
      key: 'previewUrl',
      tone: before.previewUrl === null ? 'quiet' : 'warning',
      title: 'The addresses of all entries change',
      detail,
    },
  ]
}

const filled = (count: number, after: string): string =>
  count === 0
    ? 'No entry has anything in it.'
    : `${formatCount(count, 'entry has', 'entries have')} something in it. ${after}`

const missing = (count: number): string =>
  count === 0
    ? 'No entry lacks it.'
    : `${formatCount(count, 'entry lacks', 'entries lack')} it. What is live stays live; the next save or publish asks for it.`

const unfit = (count: number): string =>
  count === 0
    ? 'All values there are fit.'
    : `In ${formatCount(count, 'entry', 'entries')} the value does not fit: it reads as empty, also on websites. It stays stored until another one is entered.`

const elsewhere = (count: number): string =>
  count === 0
    ? 'No entry has anything in it.'
    : `${formatCount(count, 'entry has', 'entries have')} something in it, which may not fit: the next save of the field asks for another choice.`

const ruleWords: Partial<Record<string, string>> = {
  minLength: 'more characters',
  maxLength: 'fewer characters',
  minItems: 'more items',
  maxItems: 'fewer items',
  min: 'a higher lower bound',
  max: 'a lower upper bound',
  step: 'another step',
  pattern: 'another pattern',
  integer: 'whole numbers only',
  options: 'fewer choices',
  accept: 'fewer kinds of files',
  protocols: 'fewer kinds of links',
  to: 'another content type',
  multiple: 'one or several',
}

const fieldIn = (fields: readonly Field[], path: readonly string[]): Field | undefined => {
  const [key, ...rest] = path
  const field = fields.find((candidate) => candidate.key === key)
  if (rest.length === 0) return field
  return field?.type === 'list' ? fieldIn(field.fields, rest) : undefined
}

/** "Slides › Image" */
const labelOf = (fields: readonly Field[], path: readonly string[]): string =>
  path
    .map((_, index) => fieldIn(fields, path.slice(0, index + 1))?.label ?? '')
    .filter(Boolean)
    .join(' › ')
