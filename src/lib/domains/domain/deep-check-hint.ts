/** For people who look at their account. */
export const deepCheckHint =
  'To find out whether receivers accept mail from your domains: mailer domain check --all --deep';
