/** Phrases typical of the usual kinds of spam. Matched against lower case. */
export const PHRASES: readonly { readonly name: string; readonly points: number; readonly pattern: RegExp }[] = [
  {
    name: 'advance_fee',
    points: 2,
    pattern:
      /next of kin|late (?:client|husband|father)|unclaimed (?:funds?|inheritance)|(?:\$|usd|eur|£|€)\s?\d[\d.,]{0,12}\s?(?:million|m\b)|\d[\d.,]{0,12}\s?million (?:us )?(?:dollars|euros?|pounds)|beneficiary of|transfer (?:the|this) fund/,
  },
  {
    name: 'lottery',
    points: 2,
    pattern:
      /you (?:have|'ve) (?:won|been selected)|lottery (?:winner|winning)|claim your (?:prize|reward|winnings)|congratulations.{0,40}winner/,
  },
  {
    name: 'account_trap',
    points: 2,
    pattern:
      /(?:verify|confirm|update|validate) your (?:account|mailbox|e-?mail|password|identity|billing|payment)|(?:account|mailbox|e-?mail) (?:will be|has been|is) (?:suspended|deactivated|closed|limited|blocked|terminated)|mailbox (?:is|quota is) (?:almost )?(?:full|exceeded)|unusual (?:sign-?in|activity) (?:detected|on your)|password (?:will|is going to) expire/,
  },
  {
    name: 'extortion',
    points: 3,
    pattern:
      /(?:recorded|filmed) you|i (?:have )?(?:hacked|infected) your|(?:send|transfer|pay).{0,60}(?:bitcoin|btc)|bitcoin (?:wallet|address).{0,80}(?:hours|delete)/,
  },
  {
    name: 'pharmacy',
    points: 2,
    pattern:
      /\b(?:viagra|cialis|levitra|tramadol|xanax|phentermine)\b|male enhancement|without (?:a )?prescription|lose \d{1,3} (?:lbs|pounds|kilos|kg) in/,
  },
  {
    name: 'quick_money',
    points: 1.5,
    pattern:
      /(?:guaranteed|risk[- ]free) (?:profits?|returns?|income)|earn (?:up to )?[$€£]\s?\d[\d.,]{0,10} (?:per|a|every) (?:day|week|hour)|work from home|double your (?:money|investment|bitcoin)|financial freedom|crypto (?:trading|investment) (?:platform|opportunity|bot)/,
  },
  {
    name: 'loan_offer',
    points: 1.5,
    pattern:
      /(?:loan|credit) (?:offer|at \d)|pre-?approved (?:for|loan)|bad credit|interest rate of \d|no credit check/,
  },
  {
    name: 'ranking_offer',
    points: 1.2,
    pattern:
      /(?:first|1st) page of google|seo (?:services|expert|package)|rank(?:ing)? (?:your (?:web)?site|on google)|guest post(?:ing)? (?:on|service)|increase (?:your )?(?:website )?traffic/,
  },
  {
    name: 'urgent_call',
    points: 0.6,
    pattern:
      /act now|limited time (?:offer|only)|offer expires|click (?:here|below|the link) (?:now|immediately|to claim)|urgent (?:response|reply|business)|100% free|no obligation/,
  },
]
