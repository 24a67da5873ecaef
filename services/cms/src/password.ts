// `npm run cms:password [-- <email> [--reset-2fa]]`: the way back in when nobody can sign in. Without an address it lists the accounts.
import { runPasswordCommand } from './people/accounts/password-command.ts'

const code = await runPasswordCommand({
  args: process.argv.slice(2),
  env: process.env,
  input: process.stdin,
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
})
process.exit(code)
