import type { Label, LabelInput, LabelListRequest } from '@stoa/mail-model/labels.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { signInOf } from '../../../principal.ts'
import { countLabel, deleteLabelRow, type LabelRow, putLabelRow, readLabels } from './labels-queries.ts'

/** The most used ones; nobody chooses among more. */
const MAX_LABELS = 500

/** The labels of the mailbox. */
export const getLabels = async (ctx: Ctx, list: LabelListRequest): Promise<List<Label>> => {
  const rows = await readLabels(ctx.db, signInOf(ctx).address.id, MAX_LABELS)
  const wanted = list.search?.toLowerCase() ?? ''
  const found = rows
    .filter(({ name, displayName }) => `${name}\n${displayName ?? ''}`.toLowerCase().includes(wanted))
    .toSorted(orderOf(list))
  const start = (list.page - 1) * list.per_page
  return toList(list, found.length, found.slice(start, start + list.per_page).map(labelJson))
}

/** How a label is shown. Messages have it under its name, whatever it is called on screens. */
export const putLabel = async (ctx: Ctx, name: string, input: LabelInput): Promise<Label> => {
  const addressId = signInOf(ctx).address.id
  const { display_name: displayName, color } = input
  const isPut = await ctx.tx((tx) =>
    putLabelRow(tx, { addressId, name, displayName, color, now: ctx.now() }, MAX_LABELS),
  )
  if (!isPut) fail('quota_exceeded', { message: `A mailbox can have up to ${MAX_LABELS} labels.` })
  return labelJson({ name, displayName, color, total: await countLabel(ctx.db, addressId, name) })
}

/** Messages that have it keep it, under its plain name. */
export const removeLabel = async (ctx: Ctx, name: string) => {
  await ctx.tx((tx) => deleteLabelRow(tx, signInOf(ctx).address.id, name))
  return { object: 'label', name, deleted: true } as const
}

const labelJson = ({ name, displayName, color, total }: LabelRow): Label => ({
  object: 'label',
  name,
  display_name: displayName ?? name,
  color,
  total,
})

const orderOf = ({ sort, direction }: LabelListRequest) => {
  const sign = direction === 'asc' ? 1 : -1
  const byName = (a: LabelRow, b: LabelRow) => (a.name < b.name ? -sign : sign)
  return (a: LabelRow, b: LabelRow) =>
    sort === 'total' && a.total !== b.total ? sign * (a.total - b.total) : byName(a, b)
}
