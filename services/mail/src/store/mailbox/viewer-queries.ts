import type { MailTx } from '../handles.ts'
import { unreadSql } from '../messages/keyword-rules.ts'

// A viewer of another's mailbox has flags of their own: `$seen` of the message is the owner's. In what follows
// `$1` is the mailbox and `viewer` the placeholder of the viewer, null for the owner.

/** Whether the viewer has seen the message of that alias. */
export const viewedSql = (alias: string, viewer: string): string =>
  `exists (select from viewed v where v.address_id = $1 and v.viewer_id = ${viewer}::uuid and v.message_id = ${alias}.id)`

/** The keywords of a message as the viewer sees them, in order. */
export const keywordsSql = (alias: string, viewer: string | null): string => {
  const shared = `${alias}.keywords`
  if (viewer === null) return shared
  return `case when not ${viewedSql(alias, viewer)} then array_remove(${shared}, '$seen')
    when ${shared} @> '{$seen}'::text[] then ${shared} else ${withSeenSql(shared)} end`
}

/** Sorted as JavaScript does. */
export const withSeenSql = (keywords: string): string =>
  `array(select keyword collate "C" from unnest(${keywords} || '{$seen}'::text[]) keyword order by 1)`

/** RFC 8621 §2: neither seen nor a draft. */
export const unreadMessageSql = (alias: string, viewer: string | null): string =>
  viewer === null
    ? unreadSql(`${alias}.keywords`)
    : `(not ${viewedSql(alias, viewer)} and not ${alias}.keywords && '{$draft}'::text[])`

/** A statement that is another one for viewers: who looks is the last of its values then. */
export const viewerStatement = (
  viewerId: string | null,
  { name, text, values }: { name: string; text: (viewer: string | null) => string; values: readonly unknown[] },
): { name: string; text: string; values: unknown[] } =>
  viewerId === null
    ? { name, text: text(null), values: [...values] }
    : { name: `${name}-viewed`, text: text(`$${values.length + 1}`), values: [...values, viewerId] }

/** Marks messages as seen by a viewer, if the mailbox is still shared with them. */
export const insertViewed = async (
  tx: MailTx,
  { addressId, viewerId, messageIds }: { addressId: string; viewerId: string; messageIds: readonly string[] },
): Promise<void> => {
  await tx.query({
    name: 'store-insert-viewed',
    text: `insert into viewed (address_id, viewer_id, message_id)
      select s.address_id, s.with_address_id, m.id from share s, unnest($3::uuid[]) m (id)
      where s.address_id = $1 and s.with_address_id = $2
      on conflict do nothing`,
    values: [addressId, viewerId, messageIds],
  })
}

/** Marks messages as unseen for all viewers but the owner. */
export const deleteViewed = async (tx: MailTx, addressId: string, messageIds: readonly string[]): Promise<void> => {
  await tx.query({
    name: 'store-delete-viewed',
    text: `delete from viewed v using share s
      where s.address_id = $1 and v.address_id = $1 and v.viewer_id = s.with_address_id and v.message_id = any($2::uuid[])`,
    values: [addressId, messageIds],
  })
}

/** Gives a viewer the owner's marks of one page of messages, in the order of their ids; the last id leads to the next. */
export const copySeen = async (
  tx: MailTx,
  { addressId, viewerId }: { addressId: string; viewerId: string },
  { after, limit }: { after: string | null; limit: number },
): Promise<string | null> => {
  const [row] = await tx.query<{ last: string | null }>({
    text: `with page as materialized (
        select id, keywords from message where address_id = $1 and ($3::uuid is null or id > $3) order by id limit $4
      ), marked as (
        insert into viewed (address_id, viewer_id, message_id)
        select $1, $2, id from page where keywords @> '{$seen}'::text[]
      )
      select id as last from page order by id offset $4 - 1`,
    values: [addressId, viewerId, after, limit],
  })
  return row?.last ?? null
}

export const deleteMarksOf = async (tx: MailTx, addressId: string, viewerId: string): Promise<void> => {
  await tx.query({ text: 'delete from viewed where address_id = $1 and viewer_id = $2', values: [addressId, viewerId] })
}
