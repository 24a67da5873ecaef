import type { Label, LabelListRequest } from '@stoa/mail-model/labels.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../context.ts'
import { signInOf } from '../../principal.ts'
import { readLabels } from './labels-queries.ts'

/** The most used ones; nobody chooses among more. */
const MAX_LABELS = 500

/** The labels that messages of the mailbox have. */
export const getLabels = async (ctx: Ctx, list: LabelListRequest): Promise<List<Label>> => {
  const rows = await readLabels(ctx.db, signInOf(ctx).address.id, MAX_LABELS)
  const wanted = list.search?.toLowerCase() ?? ''
  const found = rows.filter(({ name }) => name.includes(wanted)).toSorted(orderOf(list))
  const start = (list.page - 1) * list.per_page
  const page = found.slice(start, start + list.per_page)
  return toList(
    list,
    found.length,
    page.map(({ name, total }) => ({ object: 'label', name, total })),
  )
}

type Row = { name: string; total: number }

const orderOf = ({ sort, direction }: LabelListRequest) => {
  const sign = direction === 'asc' ? 1 : -1
  const byName = (a: Row, b: Row) => (a.name < b.name ? -sign : sign)
  return (a: Row, b: Row) => (sort === 'total' && a.total !== b.total ? sign * (a.total - b.total) : byName(a, b))
}
