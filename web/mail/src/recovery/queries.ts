import type { RecoveryAvailability } from '@stoa/mail-model/recovery.ts'
import { send } from '../api.ts'

export const checkRecovery = (domain: string) =>
  send<RecoveryAvailability>('GET', `/api/recover/check?${new URLSearchParams({ domain })}`)
export const requestRecovery = (email: string) => send<unknown>('POST', '/api/recover/request', { body: { email } })
export const resetMailbox = (body: { token: string; password: string }) =>
  send<unknown>('POST', '/api/recover/reset', { body })
