// `npm run mail:account -- list|suspend|resume [<email>]`: a suspended account receives and reads mail but sends none.
import { listAccountStates, setSuspended } from '@stoa/mail/plans/suspension.ts'
import { parseEmail } from '@stoa/mail-model/email.ts'
import { type Order, runMailCommand, say } from './mail-command.ts'

const USAGE = `Usage: npm run mail:account -- list              lists the accounts
       npm run mail:account -- suspend <email>   stops their sending
       npm run mail:account -- resume <email>    lets them send again`

const read = ([verb = '', given = '', ...rest]: readonly string[]): Order => {
  if (rest.length > 0) throw new Error(USAGE)
  if (verb === 'list' && given === '') return list
  const email = parseEmail(given)
  if ((verb !== 'suspend' && verb !== 'resume') || email === null) throw new Error(USAGE)
  return setState(email, verb === 'suspend')
}

const setState =
  (email: string, isSuspended: boolean): Order =>
  async ({ database, now }) => {
    const isKnown = await database.tx((tx) => setSuspended(tx, { email, isSuspended, now }))
    if (!isKnown) throw new Error(`There is no account ${email}.`)
    return say(isSuspended ? `${email} cannot send mail any more.` : `${email} can send mail again.`)
  }

const list: Order = async ({ database }) => {
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

await runMailCommand(read)
