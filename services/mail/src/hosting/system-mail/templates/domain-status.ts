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
      ? `All required DNS records of ${domain} are in place: it sends and receives mail.`
      : `The DNS records of ${domain} are not as they should be. The panel shows what is missing or wrong.`,
  ],
  action: { label: 'Open the domain', url },
})
