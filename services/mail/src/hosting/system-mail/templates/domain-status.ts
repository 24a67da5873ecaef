import type { MailContent } from '../mail-content.ts'

/** When the DNS records of a domain became right, or stopped being so. */
export const domainStatus = ({
  domain,
  status,
  url,
}: {
  domain: string
  status: string
  url: string
}): MailContent => ({
  subject: `${domain} is ${status.replaceAll('_', ' ')}`,
  paragraphs: [
    status === 'verified'
      ? `All required DNS records of ${domain} are in place. It can now send and receive mail.`
      : `Some DNS records of ${domain} are missing or incorrect. Open the domain to see how to fix them.`,
  ],
  action: { label: 'View domain', url },
})
