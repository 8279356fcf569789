module.exports.pad = (n) => String(n).padStart(2, '0');
