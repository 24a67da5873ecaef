export type ReportType = 'dmarc' | 'tls'

/** What the two kinds of report count, in words. */
export const reportWords = {
  dmarc: {
    name: 'DMARC',
    unit: 'mails',
    pass: 'passed',
    fail: 'failed',
    about:
      'Mail that claimed to be from this domain, as seen by those who received it. It passes when SPF or DKIM fits.',
    empty: 'No DMARC reports yet',
    how: 'The DMARC record asks receivers such as Gmail and Outlook to report once a day what they got in the name of the domain. The first reports come about a day after you send the first mail.',
  },
  tls: {
    name: 'TLS',
    unit: 'deliveries',
    pass: 'encrypted',
    fail: 'failed',
    about: 'Deliveries from other servers to this domain: whether they could be encrypted.',
    empty: 'No TLS reports yet',
    how: 'The TLS reports record asks servers that deliver mail to you to report once a day whether encryption worked. The first reports come about a day after the first mail arrives.',
  },
} as const
