// `npm run mail:account -- list|suspend|resume|password|two-factor-off [<email>]`: accounts of the panel, from the host.

import { listAccountStates, setSuspended } from '@stoa/mail/hosting/plans/suspension.ts'
import { removeTwoFactor, resetPanelPassword } from '@stoa/mail/panel/accounts/operator.ts'
import { parseEmail } from '@stoa/mail-model/email.ts'
import { beMailCommand, type Order } from './mail-command.ts'

const USAGE = `Usage: npm run mail:account -- list                     lists the accounts
       npm run mail:account -- suspend <email>          stops their sending; they receive and read mail
       npm run mail:account -- resume <email>           lets them send again
       npm run mail:account -- password <email>         draws a new password for the panel; all their sessions end
       npm run mail:account -- two-factor-off <email>   removes two-factor sign-in; all their sessions end`

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
    return say(isSuspended ? `${email} cannot send mail any more.` : `${email} can send mail again.`)
  }

const password =
  (email: string): Order =>
  async ({ database, now, say }) => {
    const drawn = (await resetPanelPassword(database, { email, now })) ?? failUnknown(email)
    return say(`All sessions of ${email} have ended. The new password, shown only now: ${drawn.reveal()}`)
  }

const twoFactorOff =
  (email: string): Order =>
  async ({ database, now, say }) => {
    const wasOn = (await removeTwoFactor(database, { email, now })) ?? failUnknown(email)
    return say(
      wasOn
        ? `Two-factor sign-in of ${email} is off, and all their sessions have ended.`
        : `Two-factor sign-in of ${email} was off already.`,
    )
  }

const ORDERS: ReadonlyMap<string, (email: string) => Order> = new Map([
  ['suspend', setState(true)],
  ['resume', setState(false)],
  ['password', password],
  ['two-factor-off', twoFactorOff],
])

const failUnknown = (email: string): never => {
  throw new Error(`There is no account ${email}.`)
}

const list: Order = async ({ database, say }) => {
  const accounts = await listAccountStates(database.db)
  if (accounts.length === 0) return say('There is no account yet.')
  return say(
    accounts
      .map(({ email, role, plan, suspended_at }) =>
        [email, role, plan, ...(suspended_at ? [`(suspended since ${suspended_at.toISOString()})`] : [])].join('  '),
      )
      .join('\n'),
  )
}

if (import.meta.main) await beMailCommand(readAccountCommand)
