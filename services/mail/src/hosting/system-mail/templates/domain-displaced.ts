import type { MailContent } from '../mail-content.ts'

/** To an account that added a domain and never proved to own it. */
export const domainDisplaced = ({ domain, url }: { domain: string; url: string }): MailContent => ({
  subject: `${domain} was taken out of your account`,
  paragraphs: [
    `You added ${domain} more than 72 hours ago and its ownership record was never seen. Another account has added it now.`,
    'If the domain is yours, publish the ownership record and write to whoever runs this service.',
  ],
  action: { label: 'Open your domains', url },
})
