/** Texts as they arrive, made from pieces: small, but with words that both kinds share. */
export type Letter = {
  readonly from: string
  readonly subject: string
  readonly lines: readonly string[]
  readonly html: boolean
}

type Kind = {
  readonly senders: readonly string[]
  readonly subjects: readonly string[]
  readonly lines: readonly string[]
}

const SPAM: readonly Kind[] = [
  {
    senders: ['Dr. Health <deals@{w}-meds.example>', '{n} <{n}@{w}shop.example>'],
    subjects: [
      'Save {d}% on your refill',
      'Your order of {w} is waiting',
      'Feel young again',
      'Best prices this week {n}',
    ],
    lines: [
      'The best pills shipped to your door without any doctor.',
      'Discreet packaging and fast delivery worldwide, {d}% cheaper than your pharmacy.',
      'Thousands of men already trust our products.',
      'Order today and receive {d} bonus tablets.',
      'Our herbal formula gives results in days.',
      'No questions asked, refund within {d} days.',
    ],
  },
  {
    senders: ['Barrister {n} <{n}{d}@{w}-law.example>', 'Mrs. {n} <office{d}@{w}.example>'],
    subjects: ['Confidential proposal', 'Regarding a deposit in your name', 'Kindly respond {n}', 'My last wish'],
    lines: [
      'I am contacting you in confidence about a deposit left by a deceased client.',
      'The sum of {d} million dollars will be shared between us.',
      'You will stand as the heir and receive forty percent.',
      'Please send your full name, telephone and bank details for the transfer.',
      'This transaction is legal and free of risk.',
      'May God bless you as you help a widow in need.',
    ],
  },
  {
    senders: ['Support Team <no-reply@{w}-secure.example>', 'Mail Administrator <admin@{w}-verify.example>'],
    subjects: [
      'Action required on your profile',
      'Storage notice {d}',
      'Your package could not be delivered',
      'Security alert',
    ],
    lines: [
      'We noticed a problem with your profile and limited access to it.',
      'Sign in with the button below within {d} hours to restore your storage.',
      'Failure to do so leads to the loss of incoming messages.',
      'A fee of {d} is outstanding before your parcel can be released.',
      'Confirm who you are at http://{w}-login.example/{w}',
      'This is an automated notice, do not ignore it.',
    ],
  },
  {
    senders: ['{n} <{n}@{w}-trade.example>', 'Crypto Desk <vip@{w}coin.example>'],
    subjects: [
      '{n}, {d} dollars per day',
      'The secret that banks hide',
      'Your trading bonus',
      'Invitation to the VIP group',
    ],
    lines: [
      'Our robot trades coins for you while you sleep.',
      'Members made {d} percent profit last month.',
      'Deposit only {d} and watch your balance grow.',
      'Places are limited, join the signals group now.',
      'Celebrities use this system and never talk about it.',
      'Withdraw your winnings at any time.',
    ],
  },
  {
    senders: ['{n} <{n}@{w}-rank.example>', 'Web Growth <hello@{w}traffic.example>'],
    subjects: ['Quick question about your website', 'More visitors for your site', 'Proposal {n}', 'Backlinks package'],
    lines: [
      'I was looking at your website and found several errors that cost you visitors.',
      'We can place your site at the top of search results within {d} weeks.',
      'Our backlinks come from sites with high authority.',
      'Can I send you the packages and prices?',
      'We have worked with over {d} companies in your niche.',
      'Reply with your phone number for a free audit.',
    ],
  },
]

const HAM: readonly Kind[] = [
  {
    senders: ['{n} <{n}@office.example>', '{n} Miller <{n}.miller@office.example>'],
    subjects: ['Agenda for {w}', 'Notes of the meeting on {w}', 'Review of the {w} branch', 'Release {d}'],
    lines: [
      'Attached are the notes of the meeting, please correct what I got wrong.',
      'The release slipped by {d} days because two tests fail on the build machine.',
      'Could you look at the pull request before lunch?',
      'The customer asked whether the export also works with {d} rows.',
      'I moved the review to Thursday so that everybody can join.',
      'Database migration {d} ran fine on staging.',
    ],
  },
  {
    senders: ['{n} <{n}@family.example>', 'Aunt {n} <{n}@family.example>'],
    subjects: ['Sunday dinner', 'Pictures from {w}', 'Re: the birthday', 'Coming home on {d}'],
    lines: [
      'We are thinking of dinner on Sunday, can you bring the salad?',
      'The children loved the garden and ask when you visit again.',
      'Here are the pictures of the trip, there are {d} of them.',
      'Grandma is feeling better and says thank you for the flowers.',
      'The train arrives at {d} past four, please pick me up.',
      'Did you find the recipe for the plum cake?',
    ],
  },
  {
    senders: ['Orders <orders@bookstore.example>', 'Invoices <billing@hosting.example>'],
    subjects: [
      'Your order {d} has shipped',
      'Invoice {d}',
      'Receipt for your payment',
      'Your delivery arrives tomorrow',
    ],
    lines: [
      'Thank you for your order, the books left our warehouse today.',
      'Your invoice of {d} euros is attached as a document.',
      'We charged your card for the next month of hosting.',
      'The delivery arrives between nine and {d} in the morning.',
      'You can return the books within {d} days.',
      'Questions about this receipt? Write to our staff.',
    ],
  },
  {
    senders: ['Weekly <newsletter@gardening.example>', 'City Library <news@library.example>'],
    subjects: ['This week in the garden', 'New in the library', 'Events in {w}', 'What to plant now'],
    lines: [
      'It is time to sow lettuce and to prune the roses.',
      'The library opens on Saturday until {d} from next month on.',
      'Reading for children takes place every Tuesday.',
      'Our members share their best tomato varieties.',
      'Read the whole article at http://news.gardening.example/{w}',
      'You receive this letter because you subscribed, leave at any time.',
    ],
  },
  {
    senders: ['Tracker <noreply@tracker.example>', '{n} via list <users@lists.example>'],
    subjects: [
      '[project] issue {d}: {w}',
      '[users] question about {w}',
      'Build {d} passed',
      'Re: [users] configuration',
    ],
    lines: [
      'The parser fails when the header has no blank line, see the log below.',
      'I can reproduce it with version {d} on Debian.',
      'Thanks, the patch works here, please add a test.',
      'Build {d} passed in four minutes.',
      'Which option sets the resolver of the daemon?',
      'See the manual, chapter {d}, about the queue.',
    ],
  },
]

/** What both kinds say. */
const SHARED = [
  'Hello {n},',
  'Dear {n},',
  'Please let me know what you think.',
  'Thank you for your time.',
  'Best regards, {n}',
  'Have a nice day.',
  'Please reply as soon as you can.',
  'You can reach us at any time.',
]
const NAMES = 'anna bert clara david emma frank greta hans ida jonas karla leo maria noah olga paul'.split(' ')
const WORDS = 'river summit north alpha delta market bridge orange silver garden winter matrix falcon harbor'.split(' ')

/** A letter of either sort. `share` is how much of the sentences may be used, so that tests meet some for the first time. */
export const makeLetter = (sort: 'spam' | 'ham', random: () => number, share = 1): Letter => {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const known = <T>(list: readonly T[]): readonly T[] => list.slice(0, Math.ceil(list.length * share))
  const fill = (text: string): string =>
    text
      .replaceAll('{n}', () => pick(NAMES))
      .replaceAll('{w}', () => pick(WORDS))
      .replaceAll('{d}', () => String(2 + Math.floor(random() * 90)))
  const kind = pick(sort === 'spam' ? SPAM : HAM)
  const own = Array.from({ length: 3 + Math.floor(random() * 2) }, () => fill(pick(known(kind.lines))))
  return {
    from: fill(pick(kind.senders)),
    subject: fill(pick(known(kind.subjects))),
    lines: [fill(pick(SHARED)), ...own, fill(pick(SHARED))],
    html: random() < 0.4,
  }
}

export const letterBytes = ({ from, subject, lines, html }: Letter, id: number): Buffer =>
  Buffer.from(
    [
      `From: ${from}`,
      'To: bob@example.net',
      `Subject: ${subject}`,
      'Date: Sun, 1 Mar 2026 11:00:00 +0000',
      `Message-ID: <${id}@example.org>`,
      'MIME-Version: 1.0',
      `Content-Type: text/${html ? 'html' : 'plain'}; charset=utf-8`,
      '',
      html ? `<html><body>${lines.map((line) => `<p>${line}</p>`).join('\r\n')}</body></html>` : lines.join('\r\n'),
      '',
    ].join('\r\n'),
  )

/** Numbers that are the same in every run (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
