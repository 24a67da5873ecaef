import type { MailContent } from '../mail-content.ts'

/** To an account that added a domain and never proved to own it. */
export const domainDisplaced = ({ domain, url }: { domain: string; url: string }): MailContent => ({
  subject: `${domain} was removed from your account`,
  paragraphs: [
    `You added ${domain} more than 72 hours ago, but its ownership record was never found. Another account has now added it.`,
    'If you own the domain, publish the ownership record and contact the owner of this service.',
  ],
  action: { label: 'View domains', url },
})
