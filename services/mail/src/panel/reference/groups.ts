/** What the areas of the API are. */
export const groups: Readonly<Record<string, string>> = {
  auth: 'Sign-up, sign-in, email verification, password reset and two-factor authentication.',
  account: 'Your account: profile, email address, password, notifications, sessions and referrals.',
  domains:
    'Domains, their DNS records and checks, publishing, DKIM keys, allowed and blocked senders, fallback, reports and addresses.',
  addresses: 'Mailboxes: settings, password, recovery address, folders, activity, app passwords, sharing.',
  filters: 'Sieve scripts that run in order when mail is delivered.',
  transfers: 'Mailboxes copied from another server over IMAP.',
  exports: 'Mail of the account as zip files to download.',
  deleted: 'Deleted domains and addresses that can be restored for 7 days.',
  emails: 'The sending API, used with an API key. Error names follow Resend.',
  'api-keys': 'Keys for the sending API. They can only be created with a session.',
  suppressions: "Addresses that emails aren't sent to.",
  webhooks: 'Endpoints that are notified about events, and their delivery attempts.',
  events: 'Live updates for the panel (server-sent events).',
  plans: 'Available plans.',
  entitlement: "The account's limits, features and usage.",
  subscription: 'The plan of the account.',
  billing: 'Payment provider, payment methods, transactions and tax ID.',
  recover: "Password recovery for mailbox owners who aren't panel users.",
  overview: 'Everything the Overview screen shows.',
  trace: "What happened to mail, across all addresses, including addresses that don't exist.",
  'client-config': 'Host names and ports for mail clients.',
  instance: 'Instance settings, accounts, audit log, health and queue, for the owner.',
  webmail: 'Webmail. A session belongs to one mailbox.',
  jmap: 'JMAP (RFC 8620 and 8621), for mail clients. Errors are problem details (RFC 7807).',
  'mail-programs': "Automatic setup of mail clients. They don't reveal whether a mailbox exists.",
  tracking: 'Open and click tracking.',
  service: 'The service itself and its documentation.',
}

const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^\/api\/mail\//, 'webmail'],
  [/^\/(jmap(\/|$)|\.well-known\/jmap$)/, 'jmap'],
  [/^\/(mail\/|autodiscover\/|\.well-known\/autoconfig\/)/, 'mail-programs'],
  [/^\/t\//, 'tracking'],
  [/^\/\.well-known\//, 'service'],
]

/** The group of a path, where its first segment doesn't decide it. */
export const groupOf = (path: string): string | undefined => PLACES.find(([pattern]) => pattern.test(path))?.[1]
