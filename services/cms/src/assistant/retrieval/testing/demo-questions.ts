/**
 * What a question is like: `plain` uses the page's words, `paraphrase` others beside them, `typo` mistypes them. `near` is
 * about the site's subject and has no answer on it. `unseen` and `unseen near` are such questions that no value was tuned on.
 */
export type QuestionClass =
  | 'plain'
  | 'paraphrase'
  | 'typo'
  | 'language'
  | 'unanswerable'
  | 'near'
  | 'unseen'
  | 'unseen near'

/** A question, and the slugs of entries of which one answers it; none for what the site does not say. */
export type LabelledQuestion = {
  readonly kind: QuestionClass
  readonly question: string
  readonly slugs: readonly string[]
  readonly locale?: string
}

export const answered = (
  kind: QuestionClass,
  questions: Readonly<Record<string, string | readonly string[]>>,
): LabelledQuestion[] =>
  Object.entries(questions).map(([question, slugs]) => ({ kind, question, slugs: [slugs].flat() }))

export const unanswered = (kind: QuestionClass, questions: readonly string[]): LabelledQuestion[] =>
  questions.map((question) => ({ kind, question, slugs: [] }))

/** Questions to the demo's bookshop. */
export const demoQuestions: readonly LabelledQuestion[] = [
  ...answered('plain', {
    'What are your opening hours?': ['visit', 'home', 'open-at-seven-on-thursdays'],
    'Are you open on Sunday?': ['visit', 'home'],
    'When do you open on Thursdays?': ['open-at-seven-on-thursdays', 'visit', 'home'],
    'Can I pay by card?': 'visit',
    'May I bring my dog?': ['visit', 'open-at-seven-on-thursdays'],
    'Is the shop accessible by wheelchair?': 'visit',
    'Which bus goes to the shop?': 'visit',
    'How do I dry a wet book?': 'how-to-dry-a-wet-book',
    'My book fell into salt water, what should I do?': 'how-to-dry-a-wet-book',
    'What does a new spine cost?': 'repairs',
    'Do you mend paperbacks?': 'repairs',
    'How long does a new cloth binding take?': 'repairs',
    'Can I send something back?': 'orders',
    'Do you wrap presents?': 'orders',
    'Do you deliver by bicycle?': ['orders', 'a-winter-of-parcels'],
    'When was the shop founded, in 1987?': ['about', 'home'],
    'What is upstairs in the bindery?': ['about', 'home', 'visit', 'bookbinding-for-beginners'],
    'How long is the walk to the pump house?': 'the-marsh-path',
    'Is the marsh path under water at spring tide?': 'the-marsh-path',
    'When are the story mornings?': ['reading-to-people-who-do-not-sit-still', 'story-morning'],
    'What does the bookbinding workshop cost?': 'bookbinding-for-beginners',
    'Which tide charts hang in the back room?': 'a-morning-with-the-tide-charts',
    'Was Gull Rock an island?': 'a-morning-with-the-tide-charts',
    'What is Letters from a Herring Fleet about?': ['letters-from-a-herring-fleet', 'ten-books-about-the-sea'],
    'Do you have a history of fog?': ['a-history-of-fog', 'ten-books-about-the-sea'],
    'Who is Marta Quist?': 'marta-quist',
    'Who is Idris Vale?': 'idris-vale',
    'What happens in One Table, One Day?': ['one-table-one-day', 'home', 'ten-books-about-the-sea'],
    'What happens at the evening of lighthouse diaries?': ['lighthouse-diaries', 'an-evening-of-lighthouse-diaries'],
    'Which book is the book of the month?': 'home',
  }),
  ...answered('paraphrase', {
    'Is it possible to return an order within four weeks?': 'orders',
    'Could you gift wrap a present for me?': 'orders',
    'My paperback is falling apart, is it worth a repair?': ['repairs', 'how-to-dry-a-wet-book'],
    'I dropped a book in the bath and now it is wet, help': 'how-to-dry-a-wet-book',
    'Should I put wet pages in the oven?': 'how-to-dry-a-wet-book',
    'Where can I moor my boat when I visit you?': 'visit',
    'How far is it on foot from the station?': 'visit',
    'Where can I take a walk with a good bench to read?': 'the-marsh-path',
    'How can I read stories to small children who never sit still?': 'reading-to-people-who-do-not-sit-still',
    'Can you recommend a book about the sea for a rainy week?': 'ten-books-about-the-sea',
    'I want to learn to sew and cover a notebook': 'bookbinding-for-beginners',
    'Is there coffee early on Thursday morning?': ['open-at-seven-on-thursdays', 'home'],
    'How quickly do orders arrive if I order before noon?': ['orders', 'open-at-seven-on-thursdays'],
    'Do you use plastic when you post books?': 'orders',
    'Is something for children on Saturday?': ['story-morning', 'reading-to-people-who-do-not-sit-still'],
  }),
  ...answered('paraphrase', {
    'Do I need to book for the story morning?': 'story-morning',
    'How do I get a mouldy book fixed?': ['how-to-dry-a-wet-book', 'repairs'],
    'Can I park my pram or wheelchair inside?': 'visit',
    'Which berths are free for visitors with a boat?': 'visit',
    'Who wrote the letters on the herring ships?': ['letters-from-a-herring-fleet', 'ten-books-about-the-sea'],
    'Why do you open so early on Thursday?': 'open-at-seven-on-thursdays',
    'Can second-hand books be exchanged?': 'orders',
    'How many charts of the bay are there?': 'a-morning-with-the-tide-charts',
    'Who reads to the children?': ['story-morning', 'reading-to-people-who-do-not-sit-still', 'noor-haddad'],
    'what time does bookbiding begin': 'bookbinding-for-beginners',
    'is the bakrey next to you': ['visit', 'open-at-seven-on-thursdays', 'home'],
    'Can I bring back a book that I do not like?': 'orders',
    'Will my puppy be welcome?': ['visit', 'open-at-seven-on-thursdays'],
    'Do you accept Visa?': 'visit',
    'Can somebody bring my parcel by bike?': ['orders', 'a-winter-of-parcels'],
    'Where do I get off the bus?': 'visit',
    'My novel has come off its spine': 'repairs',
    'lighthose diaries evening': ['an-evening-of-lighthouse-diaries', 'the-keepers-teapot', 'ten-books-about-the-sea'],
  }),
  ...answered('typo', {
    'What are your openning hours?': ['visit', 'home', 'open-at-seven-on-thursdays'],
    'book repiars prices': 'repairs',
    'how to dry a wett book': 'how-to-dry-a-wet-book',
    'Is the shop accesible by wheelchiar?': 'visit',
    'orders and delivreies': 'orders',
    'bookbindng for beginers': 'bookbinding-for-beginners',
    'tide chrats in the back room': 'a-morning-with-the-tide-charts',
    'storry morning for children': ['story-morning', 'reading-to-people-who-do-not-sit-still'],
    'Leters from a hering fleet': ['letters-from-a-herring-fleet', 'ten-books-about-the-sea'],
    'marhs path pump house': 'the-marsh-path',
    'Do you mend comics and papperbacks?': 'repairs',
    'May I bring my dgo? dogs': ['visit', 'open-at-seven-on-thursdays'],
  }),
  ...unanswered('unanswerable', [
    'Do you sell bicycles for mountain racing?',
    'What is the capital of Mongolia?',
    'Who won the football championship last year?',
    'Can you write a Python function for me?',
    'How do I reset my router password?',
    'What is the mortgage interest rate?',
    'Do you offer yoga classes?',
    'Which vaccines does my baby require?',
    'What is your bitcoin wallet?',
    'How tall is the Eiffel tower?',
    'Do you rent apartments with a swimming pool?',
    'Can I apply for a driving licence?',
    'Which tyres fit a Volvo?',
    'Explain quantum entanglement',
    'What are the side effects of ibuprofen?',
    'Book a flight to Lisbon',
    'Who is the prime minister of Canada?',
    'Is the restaurant vegan?',
    'How do I file my tax return?',
    'Do you repair laptops and phones?',
  ]),
  ...unanswered('near', [
    'Do you buy old books from me?',
    'Is there a car park near the shop?',
    'Do you ship books to Australia?',
    'Can I order an e-book?',
    'Do you have a newsletter?',
    'What is the phone number of the shop?',
    'Do you sell coffee beans?',
    'Are there toilets in the shop?',
    'Do students get a discount?',
    'Can I work for you as a bookseller?',
    'Do you sell e-readers?',
    'Is there a lift to the bindery?',
    'Can I bring my cat?',
    'Do you sell second-hand clothes?',
    'Do you have parking for bicycles?',
    'Is there a train to Wrenhaven on Sundays?',
    'Do you sell wine?',
    'Can I donate books to a school?',
    'Do you repair clocks?',
    'Do you sharpen knives?',
    'Who is the mayor of Wrenhaven?',
    'How deep is the harbour?',
    'Do you have books in French?',
    'Can I borrow books like in a library?',
    'Is smoking allowed in the shop?',
    'What is your Instagram?',
    'Do you sell notebooks and pens?',
    'How do I cancel my account?',
    'Do you rent rooms for the night?',
    'Can I swim at the marsh?',
    'Is there a discount for teachers?',
    'Do you have an app?',
    'How do I remove a coffee stain from a book?',
    'Can you laminate my poster?',
    'Where can I buy fish?',
    'Does Marta Quist have children?',
    'Do you have a webcam of the quay?',
    'When do the shops in town close?',
    'Do you offer internships?',
    'Is the bindery heated in winter?',
  ]),
]
