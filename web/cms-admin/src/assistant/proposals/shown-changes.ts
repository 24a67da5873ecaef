import type { Proposal, ProposalChange } from '@stoa/cms-model/assistant.ts'
import type { Change } from '../../diff/changes.ts'

/** How values without a field of their own are best compared. */
const TYPES: Readonly<Partial<Record<ProposalChange['view'], string>>> = {
  text: 'text',
  richtext: 'richtext',
  markdown: 'markdown',
  media: 'media',
  list: 'list',
  json: 'json',
}

/** The changes of a proposal as differences are shown, with the values that the person wrote. */
export const shownChanges = ({ changes }: Proposal, edits: Readonly<Record<string, unknown>>): Change[] =>
  changes.map(({ path, label, fieldType, op, before, after, view }) => {
    const value = Object.hasOwn(edits, path) ? edits[path] : after
    return {
      path,
      label,
      fieldType: fieldType ?? typeFor(view, before, value),
      op: op === 'add' || op === 'remove' ? op : 'change',
      before,
      after: value,
    }
  })

/** A list of objects is compared row by row, one of words as choices; anything else as what it is. */
const typeFor = (view: ProposalChange['view'], before: unknown, after: unknown): Change['fieldType'] => {
  const type = TYPES[view]
  const values = [before, after].filter((value) => value !== null && value !== undefined)
  if (type === 'list' && values.some((value) => !Array.isArray(value))) return null
  if (type === 'list' && values.flat().every((item) => typeof item === 'string')) return 'multiselect'
  if (type === 'text' && values.some((value) => typeof value !== 'string')) return null
  if (type === 'media' && values.some(Array.isArray)) return 'gallery'
  return (type ?? null) as Change['fieldType']
}
