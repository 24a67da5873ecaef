/** `back` is the screen that was asked for. */
export const MailboxSignInScreen = ({ back }: { back: string | undefined }) =>
  back === undefined ? null : <p>{back}</p>
