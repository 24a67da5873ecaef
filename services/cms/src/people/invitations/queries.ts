import type { Page } from '@stoa/cms-model/lists.ts'
import type { Role } from '@stoa/cms-model/permissions.ts'
import { sql } from 'kysely'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Editor } from '../../version-conflict.ts'

export type StoredInvitation = {
  id: string
  email: string
  name: string | null
  role: Role
  expiresAt: Date
  isSent: boolean
  version: number
  createdAt: Date
  createdBy: { id: string; name: string }
  updatedAt: Date
}

/** A link: what the database keeps of its token, and when it ends. */
export type Link = { tokenHash: Buffer; expiresAt: Date }
export type Stamp = { at: Date; by: string }

export const insertInvitation = async (
  tx: CmsTx,
  { id, email, name, role, link }: { id: string; email: string; name: string | null; role: Role; link: Link },
  { at, by }: Stamp,
): Promise<void> => {
  await tx
    .insertInto('invitation')
    .values({
      id,
      email,
      name,
      role,
      token_hash: link.tokenHash,
      expires_at: link.expiresAt,
      is_sent: false,
      created_at: at,
      created_by: by,
      updated_at: at,
      updated_by: by,
    })
    .execute()
}

/** Puts another link in place of the one before, which is void from now on. */
export const replaceLink = async (tx: CmsTx, id: string, link: Link, { at, by }: Stamp): Promise<void> => {
  await tx
    .updateTable('invitation')
    .set((set) => ({
      token_hash: link.tokenHash,
      expires_at: link.expiresAt,
      is_sent: false,
      version: set('version', '+', 1),
      updated_at: at,
      updated_by: by,
    }))
    .where('id', '=', id)
    .execute()
}

/** Notes that the mail with this link has left; false when the link is another one by now. */
export const markSent = async (tx: CmsTx, tokenHash: Buffer): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('invitation')
    .set({ is_sent: true })
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const findInvitation = async (db: CmsDb, id: string): Promise<StoredInvitation | null> => {
  const row = await invitations(db).select(columns).where('invitation.id', '=', id).executeTakeFirst()
  return row ? toInvitation(row) : null
}

export const findInvitationByEmail = async (db: CmsDb, email: string): Promise<StoredInvitation | null> => {
  const row = await invitations(db)
    .select(columns)
    .where(sql<boolean>`lower(invitation.email collate "C") = lower(${email}::text collate "C")`)
    .executeTakeFirst()
  return row ? toInvitation(row) : null
}

/** The invitation of a link that has not ended, with the role that its issuer has now; gone with the issuer. */
export const findByToken = async (
  db: CmsDb,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<(StoredInvitation & { issuerRole: Role }) | null> => {
  const row = await invitations(db)
    .innerJoin('account as issuer', 'issuer.id', 'invitation.updated_by')
    .select([...columns, 'issuer.role as issuer_role'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('issuer.deactivated_at', 'is', null)
    .executeTakeFirst()
  return row ? { ...toInvitation(row), issuerRole: row.issuer_role } : null
}

/** The newest first. */
export const listInvitationRows = async (
  db: CmsDb,
  { page, limit }: Page,
): Promise<{ found: StoredInvitation[]; total: number }> => {
  const { count } = await db
    .selectFrom('invitation')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await invitations(db)
    .select(columns)
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { found: rows.map(toInvitation), total: count }
}

/** Who issued the present link. */
export const findIssuer = async (db: CmsDb, id: string): Promise<Editor | null> => {
  const row = await db
    .selectFrom('invitation')
    .innerJoin('account', 'account.id', 'invitation.updated_by')
    .select(['account.id', 'account.name'])
    .where('invitation.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export const deleteInvitation = async (tx: CmsTx, id: string): Promise<void> => {
  await tx.deleteFrom('invitation').where('id', '=', id).execute()
}

export const deleteEndedBefore = async (tx: CmsTx, moment: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from invitation where ctid = any (array(
        select ctid from invitation where expires_at < $1 limit $2 for update skip locked)) returning 1`,
    values: [moment, limit],
  })
  return gone.length
}

const invitations = (db: CmsDb) =>
  db.selectFrom('invitation').innerJoin('account as creator', 'creator.id', 'invitation.created_by')

const columns = [
  'invitation.id',
  'invitation.email',
  'invitation.name',
  'invitation.role',
  'invitation.expires_at',
  'invitation.is_sent',
  'invitation.version',
  'invitation.created_at',
  'invitation.updated_at',
  'creator.id as creator_id',
  'creator.name as creator_name',
] as const

type Row = {
  id: string
  email: string
  name: string | null
  role: Role
  expires_at: Date
  is_sent: boolean
  version: number
  created_at: Date
  updated_at: Date
  creator_id: string
  creator_name: string
}

const toInvitation = (row: Row): StoredInvitation => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  expiresAt: row.expires_at,
  isSent: row.is_sent,
  version: row.version,
  createdAt: row.created_at,
  createdBy: { id: row.creator_id, name: row.creator_name },
  updatedAt: row.updated_at,
})
