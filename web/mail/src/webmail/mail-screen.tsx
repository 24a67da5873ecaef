export const MailScreen = () => null
