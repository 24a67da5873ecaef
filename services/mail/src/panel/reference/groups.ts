/** What the areas of the API are. */
export const groups: Readonly<Record<string, string>> = {
  auth: 'Sign up, sign in and out of the panel, verify the e-mail address, forgotten passwords, two-factor sign-in.',
  account: 'The own account: profile, e-mail address, password, notifications, sessions, referrals.',
  domains:
    'Domains, their DNS records and checks, publishing, DKIM keys, allowed and blocked senders, fallback, reports and addresses.',
  addresses: 'Mailboxes: settings, password, recovery address, folders, activity, app passwords, sharing.',
  filters: 'Sieve scripts that run when mail is delivered, in their order.',
  transfers: 'Mailboxes copied from another server over IMAP.',
  emails: 'The sending API, with an API key; the names of its errors follow Resend.',
  'api-keys': 'Keys for the sending API. Only a person who is signed in can make one.',
  suppressions: 'Addresses whose mail is withheld.',
  webhooks: 'Addresses that are called when something happens, and what became of each call.',
  events: 'What changes while a screen of the panel is open (server-sent events).',
  plans: 'Plans that can be chosen.',
  entitlement: 'What the account may do, and what it uses of it.',
  subscription: 'The plan of the account.',
  billing: 'Payment provider, payment methods, transactions and tax id.',
  recover: 'For mailbox owners who are not panel users: a new password by their recovery address.',
  overview: 'Everything that the first screen shows.',
  trace: 'Where mail is: what became of it over all addresses, also of mail for addresses that do not exist.',
  'client-config': 'Host names and ports for mail programs.',
  instance: 'What the owner of the instance decides for everybody.',
  webmail: 'A mailbox in the browser. The session is that of one mailbox.',
  jmap: 'JMAP (RFC 8620 and 8621), for mail programs. Errors are problem details (RFC 7807).',
  'mail-programs': 'Documents by which mail programs set themselves up. They tell nothing about single mailboxes.',
  tracking: 'What opened and clicked mail leads to.',
  service: 'The service itself, and documents about it.',
}

const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^\/api\/mail\//, 'webmail'],
  [/^\/(jmap(\/|$)|\.well-known\/jmap$)/, 'jmap'],
  [/^\/(mail\/|autodiscover\/|\.well-known\/autoconfig\/)/, 'mail-programs'],
  [/^\/t\//, 'tracking'],
  [/^\/\.well-known\//, 'service'],
]

/** The group of a path, where its first segment does not tell it. */
export const groupOf = (path: string): string | undefined => PLACES.find(([pattern]) => pattern.test(path))?.[1]
