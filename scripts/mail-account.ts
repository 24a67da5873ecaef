// `npm run mail:account -- list|suspend|resume|password|two-factor-off [<email>]`: accounts of the panel, from the host.

import { listAccountStates, setSuspended } from '@stoa/mail/hosting/plans/suspension.ts'
import { removeTwoFactor, resetPanelPassword } from '@stoa/mail/panel/accounts/operator.ts'
import { parseEmail } from '@stoa/mail-model/email.ts'
import { beMailCommand, type Order } from './mail-command.ts'

const USAGE = `Usage: npm run mail:account -- list                     list accounts
       npm run mail:account -- suspend <email>          stop sending; they can still receive and read mail
       npm run mail:account -- resume <email>           allow sending again
       npm run mail:account -- password <email>         set a new random password; signs out all sessions
       npm run mail:account -- two-factor-off <email>   turn off two-factor sign-in; signs out all sessions`

export const readAccountCommand = ([verb = '', given = '', ...rest]: readonly string[]): Order => {
  if (rest.length > 0) throw new Error(USAGE)
  if (verb === 'list' && given === '') return list
  const order = ORDERS.get(verb)
  const email = parseEmail(given)
  if (!order || email === null) throw new Error(USAGE)
  return order(email)
}

const setState =
  (isSuspended: boolean) =>
  (email: string): Order =>
  async ({ database, now, say }) => {
    const isKnown = await database.tx((tx) => setSuspended(tx, { email, isSuspended, now }))
    if (!isKnown) failUnknown(email)
    return say(
      isSuspended
        ? `${email} suspended. They can still receive and read mail.`
        : `${email} resumed. They can send mail again.`,
    )
  }

const password =
  (email: string): Order =>
  async ({ database, now, say }) => {
    const drawn = (await resetPanelPassword(database, { email, now })) ?? failUnknown(email)
    return say(
      `Password changed for ${email}; all sessions are signed out. New password (you won't see it again): ${drawn.reveal()}`,
    )
  }

const twoFactorOff =
  (email: string): Order =>
  async ({ database, now, say }) => {
    const wasOn = (await removeTwoFactor(database, { email, now })) ?? failUnknown(email)
    return say(
      wasOn
        ? `Two-factor sign-in turned off for ${email}; all sessions are signed out.`
        : `Two-factor sign-in is already off for ${email}.`,
    )
  }

const ORDERS: ReadonlyMap<string, (email: string) => Order> = new Map([
  ['suspend', setState(true)],
  ['resume', setState(false)],
  ['password', password],
  ['two-factor-off', twoFactorOff],
])

const failUnknown = (email: string): never => {
  throw new Error(`Account ${email} doesn't exist.`)
}

const list: Order = async ({ database, say }) => {
  const accounts = await listAccountStates(database.db)
  if (accounts.length === 0) return say('No accounts yet.')
  return say(
    accounts
      .map(({ email, role, plan, suspended_at }) =>
        [email, role, plan, ...(suspended_at ? [`(suspended since ${suspended_at.toISOString()})`] : [])].join('  '),
      )
      .join('\n'),
  )
}

if (import.meta.main) await beMailCommand(readAccountCommand)
