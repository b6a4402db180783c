/** As long as a real key, because checking a key takes time. */
export const apiKey = 'us_q7x2k9m4wb_8f1d3c5a7e9b2046f8a1c3e5d7b90426';
