import { isUtf8 } from 'node:buffer'
import { fault } from '@stoa/kit/errors.ts'
import { readBody } from '@stoa/kit/http/body.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { parseInput } from '@stoa/kit/http/input.ts'
import { parseJson } from '@stoa/kit/http/json.ts'
import { parseEmail } from '@stoa/mail-model/email.ts'
import { readSuppressionFile } from '@stoa/mail-model/suppression-file.ts'
import { MAX_IMPORTED, type SuppressionImport, suppressionImportInput } from '@stoa/mail-model/suppressions.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import { suppress } from './suppress.ts'
import { requireRoom } from './suppressions.ts'

/** Ten thousand addresses with what other services write beside them. */
const MAX_BODY = 8 * 1024 * 1024
const BODY_MS = 30_000
/** A file with more is no list of addresses, however short they are. */
const MAX_FIELDS = 1_000_000
/** A text that is no address comes back in the answer. */
const MAX_SHOWN = 320
const MAX_REASON = 500

type Line = { email: string; reason: string | null }

/** Suppresses many addresses at once: a JSON list, or a file as other services export it. */
export const importSuppressions = async (ctx: Ctx, request: Incoming): Promise<SuppressionImport> => {
  const accountId = sessionOf(ctx).account.id
  const lines = await readLines(request)
  const now = ctx.now()
  const invalid: string[] = []
  const valid = new Map<string, string | null>()
  for (const { email, reason } of lines) {
    const parsed = parseEmail(email)
    if (parsed === null) invalid.push(email.slice(0, MAX_SHOWN).toWellFormed())
    else if (!valid.has(parsed)) valid.set(parsed, reason)
  }
  const given = [...valid].map(([email, reason]) => ({
    accountId,
    email,
    origin: 'manual' as const,
    reason,
    sourceId: null,
    expiresAt: null,
  }))
  const added = await ctx.tx(async (tx) => {
    await requireRoom(tx, accountId, given.length)
    return suppress(tx, given, now)
  })
  return { object: 'suppression_import', added: added.length, existing: valid.size - added.length, invalid }
}

const readLines = async (request: Incoming): Promise<Line[]> => {
  const bytes = await readBody(request.raw, MAX_BODY, BODY_MS)
  const contentType = request.header('content-type') ?? ''
  if (!isUtf8(bytes)) throw fault('invalid_json', { reason: 'The body is not UTF-8' })
  const text = bytes.toString('utf8')
  if (/^text\/csv\s*(;|$)/i.test(contentType)) return readFile(text)
  if (bytes.length > 0 && !/^application\/json\s*(;|$)/i.test(contentType))
    throw fault('unsupported_media', { contentType })
  const { emails } = suppressionImportInput.parse(parseInput(suppressionImportInput, parseJson(text), 'body'))
  return emails.map((email) => ({ email, reason: null }))
}

const readFile = (text: string): Line[] => {
  const { lines, isCut } = readSuppressionFile(text, { maxLines: MAX_IMPORTED, maxFields: MAX_FIELDS })
  if (lines.length === 0) fail('validation_error', { message: "The file doesn't contain any addresses." })
  if (isCut) fail('validation_error', { message: `The file has more than ${MAX_IMPORTED} addresses.` })
  return lines.map(({ email, reason }) => ({
    email,
    reason: reason.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_REASON) || null,
  }))
}
