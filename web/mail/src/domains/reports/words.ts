export type ReportType = 'dmarc' | 'tls'

/** The counters of the two kinds of report, in words. */
export const reportWords = {
  dmarc: {
    name: 'DMARC',
    unit: 'messages',
    pass: 'passed',
    fail: 'failed',
    about: "Mail sent in this domain's name, as reported by receivers. It passes when SPF or DKIM matches.",
    empty: 'No DMARC reports yet',
    how: "Receivers like Gmail and Outlook report once a day about mail sent in this domain's name. The first reports arrive about a day after you start sending.",
  },
  tls: {
    name: 'TLS',
    unit: 'deliveries',
    pass: 'encrypted',
    fail: 'failed',
    about: 'Whether other servers could deliver to this domain over encrypted connections.',
    empty: 'No TLS reports yet',
    how: 'Servers that deliver mail to you report once a day whether encryption worked. The first reports arrive about a day after your first mail.',
  },
} as const
