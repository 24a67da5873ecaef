import { createHash } from 'node:crypto'
import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { isMediaType, mediaTypes } from '@stoa/cms-model/media.ts'
import { newToken } from '@stoa/kit/crypto/tokens.ts'
import { isUuid } from '@stoa/kit/ids.ts'
import { readVideoFacts } from '../../content/media/media.ts'
import type { CmsDb, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { type TargetAccount, targetAccounts } from '../accounts/accounts.ts'
import { type DraftMedia, type Network, networkOf, type Options } from '../networks/networks.ts'
import { type FileRow, listFiles, type NewContent, type PostMedia } from './queries.ts'
import { accountProblems, contentFor, contentProblems, type PostContent } from './rules.ts'

/** What a person wants to be saved: all of it, also what an update did not touch. */
export type Wanted = {
  caption: string
  captions: Record<string, string>
  accountIds: readonly string[]
  media: readonly { mediaId: string; alt?: string | null | undefined }[]
  options: Record<string, Options>
  link: string | null
}

/** What was found good, with all that is stored of it. */
export type Checked = {
  media: PostMedia[]
  targets: { account: TargetAccount; content: NewContent }[]
}

/**
 * Checks a post against the rules of every network that it is for, and refuses all that is wrong in one answer. Accounts
 * in `done` have it already: they keep what they got, and have no say.
 */
export const checkPost = async (ctx: Ctx, wanted: Wanted, done: ReadonlySet<string> = new Set()): Promise<Checked> => {
  const asked = new Set([...wanted.accountIds, ...Object.keys(wanted.options).filter(isUuid)])
  const known = new Map((await targetAccounts(ctx.db, [...asked])).map((one) => [one.id, one]))
  const { media, drafts, problems: fileProblems } = await readFiles(ctx, wanted)
  const content: PostContent = { ...wanted, media: drafts }
  const problems = [
    ...selectionProblems(ctx, wanted, known, done),
    ...nameProblems(ctx, wanted, known),
    ...fileProblems,
    ...contentProblems(content),
  ]
  const targets = wanted.accountIds.flatMap((id) => {
    const account = known.get(id)
    const network = account && networkOf(ctx, account.network)
    if (!account || !network || done.has(id)) return []
    problems.push(...accountProblems(content, account, network))
    return [{ account, content: targetContent(content, media, account, network) }]
  })
  problems.push(...(await optionFileProblems(ctx, targets)))
  if (problems.length > 0) fail('SOCIAL_INVALID', { details: { fields: unique(problems) } })
  return { media, targets }
}

const selectionProblems = (
  ctx: Ctx,
  { accountIds }: Wanted,
  known: ReadonlyMap<string, TargetAccount>,
  done: ReadonlySet<string>,
): FieldProblem[] => {
  const key = 'accountIds'
  if (accountIds.length === 0) return [{ key, message: 'must have at least one account' }]
  const problems: FieldProblem[] = []
  if (new Set(accountIds).size < accountIds.length)
    problems.push({ key, message: 'must contain each account only once' })
  for (const id of new Set(accountIds)) {
    const account = known.get(id)
    if (done.has(id)) continue
    if (!account || !networkOf(ctx, account.network) || account.status === 'disconnected')
      problems.push({ key, message: `${account?.name ?? id} isn't a connected account` })
    else if (!account.isNetworkEnabled)
      problems.push({ key, message: `${account.name} belongs to a network that is turned off` })
  }
  return problems
}

/** Texts and options may wait for networks that are not chosen, but not for what does not exist. */
const nameProblems = (
  ctx: Ctx,
  { captions, options }: Wanted,
  known: ReadonlyMap<string, TargetAccount>,
): FieldProblem[] => [
  ...Object.keys(captions)
    .filter((name) => !networkOf(ctx, name))
    .map((name) => ({ key: `captions.${name}`, message: "isn't a network" })),
  ...Object.keys(options)
    .filter((name) => !networkOf(ctx, name) && !known.has(name))
    .map((name) => ({ key: `options.${name}`, message: "isn't a network or an account" })),
]

const readFiles = async (
  ctx: Ctx,
  { media }: Wanted,
): Promise<{ media: PostMedia[]; drafts: DraftMedia[]; problems: FieldProblem[] }> => {
  const rows = await listFiles(ctx.db, [...new Set(media.map(({ mediaId }) => mediaId))])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const problems: FieldProblem[] = []
  const found: PostMedia[] = []
  const drafts: DraftMedia[] = []
  const seen = new Set<string>()
  for (const { mediaId, alt = null } of media) {
    const file = byId.get(mediaId)
    const kind = file && kindOf(file)
    if (!file || !kind)
      problems.push({ key: 'media', message: `${mediaId} isn't an image or video in the media library` })
    else if (seen.has(mediaId)) problems.push({ key: 'media', message: `must contain ${file.filename} only once` })
    else {
      found.push({ mediaId, alt, kind })
      drafts.push(await draftOf(ctx, file, kind, alt))
    }
    seen.add(mediaId)
  }
  return { media: found, drafts, problems }
}

export const kindOf = ({ mimeType }: Pick<FileRow, 'mimeType'>): 'image' | 'video' | null => {
  const group = isMediaType(mimeType) ? mediaTypes[mimeType].group : null
  return group === 'image' || group === 'video' ? group : null
}

const draftOf = async (ctx: Ctx, file: FileRow, kind: 'image' | 'video', alt: string | null): Promise<DraftMedia> => {
  const facts = kind === 'video' ? await readVideoFacts(ctx, file) : null
  return {
    kind,
    type: file.mimeType,
    bytes: file.size,
    width: facts ? facts.width : file.width,
    height: facts ? facts.height : file.height,
    seconds: facts?.seconds ?? null,
    alt: alt ?? file.alt,
  }
}

/** Options that name a file name one that there is. */
const optionFileProblems = async (ctx: Ctx, targets: Checked['targets']): Promise<FieldProblem[]> => {
  const named = targets.flatMap(({ account, content }) =>
    (networkOf(ctx, account.network)?.options ?? [])
      .filter(({ type }) => type === 'media')
      .flatMap(({ key, label }) => {
        const id = content.options[key]
        return typeof id === 'string' && id !== '' ? [{ key: `options.${account.network}.${key}`, label, id }] : []
      }),
  )
  if (named.length === 0) return []
  const rows = await listFiles(ctx.db, named.map(({ id }) => id).filter(isUuid))
  const known = new Set(rows.filter((row) => kindOf(row) !== null).map(({ id }) => id))
  return named
    .filter(({ id }) => !known.has(id))
    .map(({ key, label }) => ({ key, message: `${label} must be a file in the media library` }))
}

const targetContent = (
  content: PostContent,
  media: readonly PostMedia[],
  account: TargetAccount,
  network: Network,
): NewContent => {
  const { caption, options } = contentFor(content, account, network)
  return { caption, options, idempotencyKey: newToken(), contentHash: contentHash(caption, media) }
}

const contentHash = (caption: string, media: readonly Pick<PostMedia, 'mediaId'>[]): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([caption, media.map(({ mediaId }) => mediaId)]))
    .digest()

/** Two accounts of one network have the same complaints. */
const unique = (problems: readonly FieldProblem[]): FieldProblem[] => [
  ...new Map(problems.map((problem) => [`${problem.key} ${problem.message}`, problem])).values(),
]

/** The files of these ids, for what is shown of a post. */
export const filesOf = async (db: CmsDb, media: readonly PostMedia[]): Promise<Map<string, FileRow>> => {
  if (media.length === 0) return new Map()
  const rows = await listFiles(db, [...new Set(media.map(({ mediaId }) => mediaId))])
  return new Map(rows.map((row) => [row.id, row]))
}
