/** The same words at every run, in no pattern that a compressor finds. */
export const WORDS =
  `about above across after again against almost along already always among another answer around because become before
  behind below between beyond bridge bright bring broken brother build carry castle center change children choose circle city
  clear close color common corner country course cover cross daughter decide degree different direction distance early earth
  either engine enough evening every example family farther father figure final finger finish flower follow forest forget
  friend garden general gentle glass golden gather half hammer happen harbor heavy history horse hundred idea important inside
  island journey kitchen known language large later laugh lead learn leave letter light listen little machine market matter
  measure member middle minute modern moment month morning mother mountain music narrow nature nearly needle never night north
  notice number ocean offer often once only open orange order other outside over paper parent part pass pattern people perhaps
  person picture piece place plain plant point possible power present problem produce proud quarter question quick quiet
  reach ready reason record region remember repair report rest return river road room round school science season second
  sentence several shadow shape short should silver simple single sister slow small smooth snow sound south special spring
  square stand start station still stone story straight strange stream street strong study sudden summer surface system table
  teacher thing third thought thousand through together tomorrow tower travel triangle trouble under until valley value
  village visit voice walk wander water weather week weight west wheel whether white whole window winter without wonder wood
  word world write yellow yesterday young`
    .split(/\s+/)
    .filter((word) => word !== '')

const randomOf = (seed: number) => {
  let state = seed * 2_654_435_761 + 1
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const sentence = (pick: (below: number) => number): string => {
  const words = Array.from({ length: 8 + pick(12) }, () => WORDS[pick(WORDS.length)] ?? '')
  const text = words.join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** Half a kilobyte of rich text as cleaning leaves it: a heading, marks, links, a list, a quotation. */
export const passage = (seed: number): string => {
  const pick = randomOf(seed)
  const word = () => WORDS[pick(WORDS.length)] ?? ''
  const text = `${sentence(pick)} <strong>${word()} ${word()}</strong> ${sentence(pick)}`
  switch (seed % 5) {
    case 0:
      return `<h2>${sentence(pick)}</h2><p>${text} ${sentence(pick)}</p>`
    case 1:
      return `<p>${text} <a href="https://example.com/${word()}/${word()}" rel="noopener noreferrer" target="_blank">${word()}</a> ${sentence(pick)}</p>`
    case 2:
      return `<ul><li><p>${sentence(pick)}</p></li><li><p>${sentence(pick)}</p></li><li><p>${text}</p></li></ul>`
    case 3:
      return `<blockquote><p>${text}</p></blockquote><p>${sentence(pick)}</p>`
    default:
      return `<p>${text} <em>${word()}</em> ${sentence(pick)} ${sentence(pick)}</p>`
  }
}
