import type { MailExport } from '@stoa/mail-model/exports.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { queryOptions } from '@tanstack/react-query'
import { sendSignedIn } from '../api.ts'

export const EXPORTS = ['exports'] as const
/** While one is being made. */
const REFRESH_MS = 2_000

export const isActive = ({ status }: Pick<MailExport, 'status'>): boolean => status === 'queued' || status === 'running'

export const exportsQuery = (page: number) =>
  queryOptions({
    queryKey: [...EXPORTS, page],
    queryFn: ({ signal }) => sendSignedIn<List<MailExport>>('GET', `/api/exports?page=${page}&per_page=25`, { signal }),
    refetchInterval: ({ state }) => (state.data?.data.some(isActive) ? REFRESH_MS : false),
    placeholderData: (before) => before,
  })

export const startExport = (body: { format: string; password: string; address_ids?: string[] }) =>
  sendSignedIn<MailExport>('POST', '/api/exports', { body })

export const deleteExport = (id: string) => sendSignedIn<unknown>('DELETE', `/api/exports/${encodeURIComponent(id)}`)

export const downloadPath = (id: string): string => `/api/exports/${encodeURIComponent(id)}/download`
