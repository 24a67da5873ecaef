import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { deletedOf, reference } from './objects.ts'
import { line } from './text.ts'

const folderRoles = ['inbox', 'drafts', 'sent', 'archive', 'junk', 'trash', 'snoozed', 'important'] as const

/** A folder of a mailbox as its owner sees it. */
export const folder = z.object({
  object: z.literal('folder'),
  id: z.uuid(),
  name: z.string(),
  /** The names of the folders that it is in, and its own, with `/` between them. */
  path: z.string(),
  parent_id: z.uuid().nullable(),
  role: z.enum(folderRoles).nullable(),
  total: z.int(),
  unread: z.int(),
  /** Conversations in the folder. */
  threads: z.int(),
  unread_threads: z.int(),
  position: z.int(),
})
export type Folder = z.infer<typeof folder>

export const folderList = listOf(folder)
export const folderListQuery = listQuery({ sort: ['position', 'name'], direction: 'asc' })
export type FolderListRequest = z.output<typeof folderListQuery>

export const folderDeleted = deletedOf('folder')

const MAX_NAME = 255
const MAX_POSITION = 100_000

const name = line({ min: 1, max: MAX_NAME }).refine((text) => !text.includes('/'), { error: 'must not contain /' })
const parent = reference.nullable()

export const folderInput = z.object({ name, parent_id: parent.optional() })
export type FolderInput = z.output<typeof folderInput>

export const folderUpdate = z.object({
  name: name.optional(),
  parent_id: parent.optional(),
  position: z
    .int({ error: 'must be a whole number' })
    .min(0, { error: 'must not be negative' })
    .max(MAX_POSITION, { error: `must be at most ${MAX_POSITION}` })
    .optional(),
})
export type FolderUpdate = z.output<typeof folderUpdate>
