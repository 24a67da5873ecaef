import type { Folder, FolderInput, FolderUpdate } from '@stoa/mail-model/folders.ts'
import { sendMailbox } from '../api.ts'

export const createFolder = (body: FolderInput): Promise<Folder> =>
  sendMailbox<Folder>('POST', '/api/mail/folders', { body })

export const updateFolder = (id: string, body: FolderUpdate): Promise<Folder> =>
  sendMailbox<Folder>('PATCH', `/api/mail/folders/${id}`, { body })

export const deleteFolder = (id: string): Promise<unknown> => sendMailbox('DELETE', `/api/mail/folders/${id}`)
