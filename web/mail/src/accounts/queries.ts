import type {
  Notifications,
  Referrals,
  SessionRevocation,
  TotpEnabled,
  TotpSetup,
  User,
} from '@stoa/mail-model/accounts.ts'
import { queryOptions } from '@tanstack/react-query'
import { send, sendSignedIn } from '../api.ts'

export type Profile = {
  name: string | null
  company: string | null
  timezone: string
  locale: string
  bounce_suppression_days: number | null
}

export const saveProfile = (body: Partial<Profile>) => sendSignedIn<User>('PATCH', '/api/account', { body })
export const saveNotifications = (body: Partial<Notifications>) =>
  sendSignedIn<User>('PATCH', '/api/account/notifications', { body })
export const changeEmail = (body: { email: string; password: string; totp_code?: string }) =>
  sendSignedIn<User>('POST', '/api/account/email', { body })
export const deleteAccount = (body: { password: string; totp_code?: string }) =>
  sendSignedIn<unknown>('DELETE', '/api/account', { body })
export const changePassword = (body: { current_password: string; password: string }) =>
  sendSignedIn<unknown>('POST', '/api/account/password', { body })
export const endOtherSessions = () => sendSignedIn<SessionRevocation>('POST', '/api/account/sessions/revoke-others')

export const sendVerification = () => sendSignedIn<{ sent: boolean }>('POST', '/api/auth/verify/send')
export const verifyEmail = (token: string) => send<User>('POST', '/api/auth/verify', { body: { token } })
export const askForReset = (email: string) => send<unknown>('POST', '/api/auth/password/forgot', { body: { email } })
export const resetPassword = (body: { token: string; password: string }) =>
  send<unknown>('POST', '/api/auth/password/reset', { body })

export const beginTotp = (password: string) =>
  sendSignedIn<TotpSetup>('POST', '/api/auth/totp/setup', { body: { password } })
export const enableTotp = (code: string) =>
  sendSignedIn<TotpEnabled>('POST', '/api/auth/totp/enable', { body: { code } })
export const disableTotp = (body: { password: string; code: string }) =>
  sendSignedIn<unknown>('POST', '/api/auth/totp/disable', { body })

export const referralsQuery = queryOptions({
  queryKey: ['referrals'],
  queryFn: ({ signal }) => sendSignedIn<Referrals>('GET', '/api/account/referrals', { signal }),
})
