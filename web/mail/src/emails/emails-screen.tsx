export const EmailsScreen = () => null
