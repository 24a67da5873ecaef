import { versionsOfIfMatch } from '@stoa/kit/http/etag.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { z } from 'zod'
import { fail } from './errors.ts'

/** The body of a write that says nothing but which version it was made for. */
export const versionInput = z.strictObject({ version: z.int().min(1).optional() })

/** The version a write was made for, or those that will do; null when it did not say. An empty list is no record's. */
export type WantedVersion = number | readonly number[] | null

/** `If-Match` beats the body's `version`; `*` asks for no particular one. */
export const wantedVersion = (request: Incoming, bodyVersion?: number | undefined): WantedVersion => {
  const asked = versionsOfIfMatch(request.header('if-match'))
  if (asked === 'any') return null
  return asked ?? bodyVersion ?? null
}

/** Whether the write was made for this version of the record. */
export const isWanted = (wanted: WantedVersion, version: number): boolean => {
  if (wanted === null) return true
  return typeof wanted === 'number' ? wanted === version : wanted.includes(version)
}

export type Editor = { id: string; name: string }

/** Refuses a write that was made for another version than the record has; names who made the present one. */
export const refuseOtherVersion = async (
  wanted: WantedVersion,
  record: { version: number; updatedAt: Date },
  lastEditor: () => Promise<Editor | null>,
): Promise<void> => {
  if (isWanted(wanted, record.version)) return
  const { version, updatedAt } = record
  fail('VERSION_CONFLICT', { details: { version, updatedAt: updatedAt.toISOString(), updatedBy: await lastEditor() } })
}
